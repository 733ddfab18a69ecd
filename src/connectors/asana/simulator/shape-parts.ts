/** Small shapes that the records share: people, workspaces, teams, tags, sections. */
import { createHash } from 'node:crypto'
import { readGid } from './gids.ts'
import { day } from './organization.ts'
import type { Section, Tag, Team, User, Workspace } from './records.ts'
import type { Field, Shape, View } from './shapes.ts'

export const isoTime = (ms: number) => new Date(ms).toISOString()
export const isoTimeOrNull = (ms: number | null) => (ms === null ? null : isoTime(ms))

/** The first keys of every record. */
export function opening<
  R extends { readonly gid: string; readonly name: string | null; readonly kind: string },
>(): Record<'gid' | 'name' | 'resource_type', Field<R>> {
  return {
    gid: { get: (record) => record.gid },
    name: { get: (record) => record.name },
    resource_type: { get: (record) => record.kind },
  }
}

const compact = ['gid', 'name', 'resource_type'] as const

export const workspaceShape: Shape<Workspace> = {
  compact,
  fields: {
    ...opening<Workspace>(),
    email_domains: { get: (workspace) => workspace.emailDomains },
    is_organization: { get: (workspace) => workspace.isOrganization },
  },
}

const photoSizes = ['21x21', '27x27', '36x36', '60x60', '128x128'] as const

interface Photo {
  readonly user: User
}

/** Addresses of pictures carry their own signature, valid for a week. */
function photoAddress({ user }: Photo, view: View, size: string): string {
  const expires = Math.floor((view.now + 7 * day) / 86_400_000) * 86_400
  const signature = createHash('sha256').update(`${user.gid}${size}${expires}`).digest('hex').slice(0, 32)
  const file = `${user.gid}_${size}.${size === '1024x1024' ? 'jpg' : 'png'}`
  return `${view.filesOrigin}/us1/assets/${user.workspaces[0]}/profile_photos/${file}?e=${expires}&v=0&t=${signature}`
}

const photoShape: Shape<Photo> = {
  plain: true,
  compact: photoSizes.map((size) => `image_${size}`),
  fields: Object.fromEntries(
    [...photoSizes, '1024x1024'].map((size) => [
      `image_${size}`,
      { get: (photo: Photo, view: View) => photoAddress(photo, view, size) },
    ]),
  ),
}

export const userShape: Shape<User> = {
  compact,
  fields: {
    ...opening<User>(),
    email: { get: (user) => user.email },
    photo: { of: () => photoShape, get: (user) => (user.hasPhoto ? { user } : null) },
    workspaces: {
      of: () => workspaceShape,
      get: (user, { world, person }) =>
        user.workspaces.filter((gid) => person.workspaces.includes(gid)).map((gid) => world.find('workspace', gid)),
    },
  },
}

export const teamShape: Shape<Team> = {
  compact,
  fields: {
    ...opening<Team>(),
    organization: { of: () => workspaceShape, get: (team, { world }) => world.find('workspace', team.workspace) },
    permalink_url: { get: (team) => `https://app.asana.com/0/${team.gid}` },
    description: { optIn: true, get: (team) => team.description },
    html_description: { optIn: true, get: (team) => `<body>${team.description}</body>` },
    visibility: { optIn: true, get: (team) => (team.secret ? 'secret' : 'request_to_join') },
    endorsed: { optIn: true, get: () => false },
  },
}

export const tagShape: Shape<Tag> = {
  compact,
  fields: {
    ...opening<Tag>(),
    color: { get: (tag) => tag.color },
    created_at: { get: (tag) => isoTime(tag.createdAt) },
    followers: { of: () => userShape, get: (tag, view) => usersOf(tag.followers, view) },
    notes: { get: (tag) => tag.notes },
    permalink_url: { get: (tag) => `https://app.asana.com/0/${tag.gid}/${tag.gid}` },
    workspace: { of: () => workspaceShape, get: (tag, { world }) => world.find('workspace', tag.workspace) },
  },
}

/** Used only here: the shape of a project writes a section's project itself. */
export const sectionFields: Readonly<Record<string, Field<Section>>> = {
  ...opening<Section>(),
  created_at: { get: (section) => isoTime(section.createdAt) },
}

export function usersOf(gids: readonly string[], { world }: View): (User | undefined)[] {
  return gids.map((gid) => world.find('user', gid)).filter((user) => user !== undefined)
}

export function userOf(gid: string | null, { world }: View): User | null {
  return gid === null ? null : (world.find('user', gid) ?? null)
}

/** A small whole number that belongs to a gid. */
export function numberOf(gid: string): number {
  return readGid(gid)?.index ?? 0
}
