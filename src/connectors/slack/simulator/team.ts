/** The workspace of the simulated Slack, as its tokens describe it. */
export const team = {
  id: 'T0A1B2C3D',
  name: 'Northwind Camping',
  url: 'https://northwind-camping.slack.com/',
  userId: 'U0A1B2C3E',
  userName: 'ana',
  botUserId: 'U0A1B2C3F',
  botName: 'conex',
  botId: 'B0A1B2C3G',
  appId: 'A0A1B2C3H',
} as const
