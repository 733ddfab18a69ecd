/** The fields of the parts and measures of ads: creatives, images, videos and custom conversions. */
import { createHash } from 'node:crypto'
import { business } from './account-fields.ts'
import { pixelId } from './ad-set-fields.ts'
import { drawn, empty, type FieldTable, oneIn } from './field-table.ts'
import { accountTime, day, universalTime } from './times.ts'
import { unsetCreativeFields, unsetVideoFields } from './unset-fields.ts'
import { calls, lines, products } from './vocabulary.ts'
import type { Node, World } from './world.ts'

const pageId = '108234567890123'

const imageOf = (creative: Node, world: World): Node | undefined =>
  creative.account.counts.image === 0
    ? undefined
    : world.node('image', creative.account, creative.index % creative.account.counts.image)

export const hashOf = (image: Node): string =>
  createHash('md5').update(`${image.account.id}/${image.index}`).digest('hex')

/** An address of Meta's file hosts is signed; it contains the end of its few days, in hexadecimal seconds. */
const signed = (name: string, world: World, host = 'scontent.xx.fbcdn.example/v/t45.1600-4'): string => {
  const lastDay = Math.floor(world.now() / day) + 4
  return `https://${host}/${name}?oh=00_AYD&oe=${((lastDay * day) / 1000).toString(16).toUpperCase()}`
}

const linkOf = (node: Node, world: World): string =>
  `https://northpass.example/shop/${drawn(world, 'product', node, products).toLowerCase().replaceAll(' ', '-')}`

const isVideo = (creative: Node): boolean => creative.index % 3 === 2
const isLink = (creative: Node): boolean => creative.index % 3 === 0

export const creativeFields: FieldTable<Node> = {
  ...unsetCreativeFields,
  id: ({ id }) => id,
  name: (creative, world) => `${drawn(world, 'product', creative, products)} 2026-05-${10 + (creative.index % 20)}`,
  account_id: ({ account }) => account.id,
  actor_id: () => pageId,
  asset_feed_spec: empty,
  body: (creative, world) => (isLink(creative) ? drawn(world, 'line', creative, lines) : undefined),
  call_to_action_type: (creative, world) => drawn(world, 'call', creative, calls),
  effective_object_story_id: (creative) => `${pageId}_${6_600_000_000_000 + creative.index}`,
  image_hash: (creative, world) => {
    const image = imageOf(creative, world)
    return isVideo(creative) || image === undefined ? undefined : hashOf(image)
  },
  image_url: (creative, world) => {
    const image = imageOf(creative, world)
    return isVideo(creative) || image === undefined ? undefined : signed(`${hashOf(image)}_n.jpg`, world)
  },
  link_url: (creative, world) => (isLink(creative) ? linkOf(creative, world) : undefined),
  object_story_id: (creative) =>
    creative.index % 5 === 1 ? `${pageId}_${6_600_000_000_000 + creative.index}` : undefined,
  object_story_spec: (creative, world) =>
    isLink(creative)
      ? undefined
      : {
          page_id: pageId,
          link_data: {
            message: drawn(world, 'line', creative, lines),
            name: drawn(world, 'product', creative, products),
            link: linkOf(creative, world),
            call_to_action: { type: drawn(world, 'call', creative, calls) },
          },
        },
  object_type: (creative) => (isVideo(creative) ? 'VIDEO' : 'SHARE'),
  status: (creative, world) =>
    world.changesOf(creative).status ?? (oneIn(world, 'gone', creative, 40) ? 'DELETED' : 'ACTIVE'),
  thumbnail_url: (creative, world) => signed(`thumb_${creative.index}_64x64.jpg`, world),
  title: (creative, world) => (isLink(creative) ? drawn(world, 'product', creative, products) : undefined),
  url_tags: (creative) => (creative.index % 2 === 0 ? 'utm_source=facebook&utm_medium=paid' : undefined),
}

export const imageFields: FieldTable<Node> = {
  id: (image) => `${image.account.id}:${hashOf(image)}`,
  hash: hashOf,
  name: (image, world) =>
    `${drawn(world, 'product', image, products).toLowerCase().replaceAll(' ', '_')}_${image.index}.jpg`,
  account_id: ({ account }) => account.id,
  created_time: (image, world) => accountTime(world.createdAt(image), image.account),
  creatives: (image, world) =>
    image.index % 4 === 3 ? undefined : [world.node('creative', image.account, image.index).id],
  height: () => 1080,
  is_associated_creatives_in_adgroups: (image) => image.index % 4 !== 3,
  original_height: () => 2160,
  original_width: () => 3840,
  owner_business: () => business,
  permalink_url: (image) => `https://www.facebook.example/ads/image/?d=${hashOf(image).slice(0, 22)}`,
  status: (image, world) => (oneIn(world, 'gone', image, 30) ? 'DELETED' : 'ACTIVE'),
  updated_time: (image, world) => accountTime(world.updatedAt(image), image.account),
  url: (image, world) => signed(`${hashOf(image)}_o.jpg`, world),
  url_128: (image, world) => signed(`${hashOf(image)}_128.jpg`, world),
  width: () => 1920,
}

export const videoFields: FieldTable<Node> = {
  ...unsetVideoFields,
  id: ({ id }) => id,
  title: (video, world) => `${drawn(world, 'product', video, products)} film ${video.index + 1}`,
  ad_breaks: empty,
  backdated_time: empty,
  backdated_time_granularity: () => 'none',
  content_category: () => 'BEAUTY_FASHION',
  content_tags: (video) => (video.index % 2 === 0 ? ['hiking', 'gear'] : undefined),
  created_time: (video, world) => universalTime(world.createdAt(video)),
  custom_labels: empty,
  description: (video, world) => (video.index % 3 === 0 ? undefined : drawn(world, 'line', video, lines)),
  embed_html: (video) =>
    `<iframe src="https://www.facebook.example/plugins/video.php?href=${video.id}" width="640"></iframe>`,
  embeddable: () => true,
  format: (video, world) =>
    ['130x130', 'native'].map((filter, size) => ({
      embed_html: '<iframe></iframe>',
      filter,
      height: size === 0 ? 130 : 1080,
      picture: signed(`${video.id}_${filter}.jpg`, world),
      width: size === 0 ? 130 : 1920,
    })),
  from: () => ({ id: pageId, name: 'Northpass Outfitters' }),
  icon: () => 'https://static.fbcdn.example/rsrc.php/v3/yD/r/DggDhA4z4tO.gif',
  is_crosspost_video: () => false,
  is_crossposting_eligible: (video) => video.index % 2 === 0,
  is_episode: () => false,
  is_instagram_eligible: (video) => video.index % 3 !== 1,
  length: (video, world) => Number((6 + (world.draw('length', video) % 60_000) / 1000).toFixed(3)),
  live_status: empty,
  permalink_url: (video) => `/northpass/videos/${video.id}/`,
  picture: (video, world) => signed(`${video.id}.jpg`, world),
  post_views: (video, world) => world.draw('post views', video) % 5_000,
  premiere_living_room_status: (video) => (video.index === 1 ? 'PRE_PREMIERE' : undefined),
  published: () => true,
  scheduled_publish_time: empty,
  source: (video, world) =>
    video.index % 5 === 4 ? undefined : signed(`${video.id}.mp4`, world, 'video.xx.fbcdn.example/v'),
  spherical: () => false,
  status: () => ({ video_status: 'ready', processing_progress: 100, processing_phase: { status: 'complete' } }),
  universal_video_id: (video) => (video.index % 2 === 0 ? `northpass-${video.index}` : undefined),
  updated_time: (video, world) => universalTime(world.updatedAt(video)),
  views: (video, world) => world.draw('views', video) % 250_000,
}

export const conversionFields: FieldTable<Node> = {
  id: ({ id }) => id,
  name: (conversion, world) => `Bought ${drawn(world, 'product', conversion, products)}`,
  account_id: ({ account }) => account.id,
  aggregation_rule: empty,
  business: () => business,
  creation_time: (conversion, world) => universalTime(world.createdAt(conversion)),
  custom_event_type: (conversion) => (conversion.index % 4 === 3 ? 'LEAD' : 'PURCHASE'),
  data_sources: () => [{ id: pixelId, source_type: 'PIXEL', name: 'Northpass web shop' }],
  default_conversion_value: (conversion) => (conversion.index % 2) * 25,
  description: (conversion) => (conversion.index % 3 === 0 ? 'Counts orders of one product line.' : undefined),
  event_source_type: () => 'pixel',
  first_fired_time: (conversion, world) =>
    hasFired(conversion) ? universalTime(world.createdAt(conversion) + 86_400_000) : undefined,
  is_archived: (conversion) => conversion.index % 7 === 6,
  is_unavailable: () => false,
  last_fired_time: (conversion, world) =>
    hasFired(conversion) ? universalTime(world.updatedAt(conversion)) : undefined,
  offline_conversion_data_set: (conversion) =>
    conversion.index % 5 === 0 ? { id: '774411990022556', name: 'Store tills' } : undefined,
  pixel: () => ({ id: pixelId }),
  retention_days: () => 0,
  rule: (conversion) =>
    JSON.stringify({ and: [{ event: { eq: 'Purchase' } }, { url: { i_contains: `line-${conversion.index}` } }] }),
}

const hasFired = (conversion: Node): boolean => conversion.index % 6 !== 5
