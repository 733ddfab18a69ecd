/** The words of a company that sells outdoor gear and advertises it. */

const list = (text: string): readonly string[] => text.trim().split(/\s*[,\n]\s*/)

export const products = list(`
  Ridgeline shell, Cairn 45, Larch down vest, Tarn tent, Scree boots, Moraine trekking poles, Fern base layer,
  Basalt headlamp, Kestrel sleeping bag, Birch mug, Granite duffel, Alder wool cap
`)

export const seasons = list('Spring, Summer, Fall, Winter, Holiday, Clearance')

export const audiences = list(`
  broad 25-54, lookalike 1% buyers, cart 14 d, site visitors 30 d, hikers, climbers, past buyers, trail runners,
  newsletter, families
`)

export const formats = list('video 15s, carousel, still, collection, story 9:16, reel')

/** Objectives of campaigns, and what the company calls them. */
export const purposes: Readonly<Record<string, string>> = {
  OUTCOME_SALES: 'Sales',
  OUTCOME_TRAFFIC: 'Traffic',
  OUTCOME_AWARENESS: 'Reach',
  OUTCOME_ENGAGEMENT: 'Engagement',
  OUTCOME_LEADS: 'Newsletter',
  CONVERSIONS: 'Sales (old)',
}

export const lines = [
  'Made for the weather you actually get.',
  'Pack less. Walk further.',
  'Repaired, not replaced.',
  'The tent that stands in wind.',
  'Warm where it counts.',
  'Three layers, one summit.',
  'Field-tested by 214 members.',
  'Ships in two days.',
] as const

export const calls = list('SHOP_NOW, LEARN_MORE, SIGN_UP, GET_OFFER')

/** Names as real accounts end up with them. */
export const oddNames = [
  '🏔️ Summit push: 👩🏽‍🚀 test 🎉',
  'Copy of Copy of "Ridgeline" | don’t touch',
  "Zoë's carousel – 50% off",
  '<b>Bold?</b> & "quoted"',
  'Привіт світ',
  '数量限定テント',
  '100% of snake_case\\path',
  ' ',
] as const

/** The first eight pay in dollars, the others in euros. */
export const regions = list(`
  Colorado, Oregon, Utah, Maine, Vermont, Montana, Idaho, Alaska,
  Bavaria, Tyrol, Savoie, Asturias, Highlands, Wales, Jutland, Dalarna, Tatra, Zealand, Bohemia, Piedmont, Galicia,
  Lofoten, Karelia, Jura
`)
