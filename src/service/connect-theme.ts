/** How a program dresses the page on which its end users connect systems: a few values, each safe to write into a style. */
import Type, { type Static } from 'typebox'
import { invalidRequest } from '../catalog/decode.ts'
import { integer, optional } from '../catalog/fields.ts'

const color = (description: string) =>
  Type.String({ description, pattern: '^#[0-9a-fA-F]{6}$', 'x-form': 'a colour as #1a2b3c' })

const colors = {
  accent: optional(color('The colour of buttons.')),
  background: optional(color('The colour of the page.')),
  text: optional(color('The colour of its text.')),
}

/** An embedded image, so that the page asks no other host for anything. */
const image = Type.String({
  description: 'An image as a data URL.',
  pattern: '^data:image/(png|jpeg|gif|webp|svg\\+xml);base64,[A-Za-z0-9+/]+={0,2}$',
  maxLength: 64 * 1024,
  'x-form': 'a PNG, JPEG, GIF, WebP or SVG image as a data URL in base64, of 64 KiB at most',
})

const family = '[A-Za-z][A-Za-z0-9-]*( [A-Za-z][A-Za-z0-9-]*)*'

export const connectTheme = Type.Object(
  {
    ...colors,
    dark: optional(
      Type.Object(colors, {
        additionalProperties: false,
        description: 'The colours of the dark theme. Without them, a background or text of the light theme is kept.',
      }),
    ),
    radius: optional(integer('How round corners are, in pixels.', { minimum: 0, maximum: 24 })),
    font: optional(
      Type.String({
        description: 'Names of fonts that end users have; nothing is loaded.',
        maxLength: 200,
        pattern: `^${family}(, ?${family})*$`,
        'x-form': 'names of fonts, as Inter, system-ui, sans-serif',
      }),
    ),
    logo: optional(image),
  },
  { additionalProperties: false, description: 'The looks of the page.' },
)

export type ConnectTheme = Static<typeof connectTheme>
export type ConnectColors = NonNullable<ConnectTheme['dark']>

/** The page’s own background and text. */
export const plainColors = {
  light: { background: '#ffffff', text: '#1c1f23' },
  dark: { background: '#1c1f24', text: '#e8e9eb' },
}

/** Refuses text that people with weak sight could not read (WCAG 2.2, 1.4.3). */
export function checkContrast(theme: ConnectTheme): void {
  const faults = [
    { path: '/theme', colors: theme, plain: plainColors.light },
    { path: '/theme/dark', colors: theme.dark ?? {}, plain: plainColors.dark },
  ].filter(({ colors, plain }) => contrast(colors.background ?? plain.background, colors.text ?? plain.text) < 4.5)
  if (faults.length > 0)
    throw invalidRequest(
      faults.map(({ path }) => ({
        path: `${path}/text`,
        message: 'is too close to the background; their contrast must be 4.5 at least',
      })),
    )
}

/** Black or white, whichever is easier to read on a colour. */
export const readableOn = (background: string): string =>
  contrast(background, '#ffffff') >= contrast(background, '#000000') ? '#ffffff' : '#000000'

/** The contrast of two colours (WCAG 2.2), from 1 to 21. */
function contrast(one: string, other: string): number {
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [number, number]
  return (light + 0.05) / (dark + 0.05)
}

function luminance(color: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const value = Number.parseInt(color.slice(at, at + 2), 16) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  }) as [number, number, number]
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
