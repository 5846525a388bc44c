import type { Dispatch } from '../../client/protocol.ts'

const nameWidth = 28
const text_characters_max = 120

/** A dispatch as a line for people: when it came, its number and name, and what it is about. */
export function dispatchLine(dispatch: Dispatch, at: Date): string {
  const { t, s } = dispatch
  return `${at.toISOString().slice(11, 23)} ${s.toString().padStart(5)}  ${t.padEnd(nameWidth)} ${aboutOf(dispatch)}`.trimEnd()
}

function aboutOf({ t, d }: Dispatch): string {
  switch (t) {
    case 'READY':
      return `${quoted(tagOf(d.user))} in ${d.guilds.length} guilds, session ${d.session_id}`
    case 'GUILD_CREATE':
      return `${quoted(d.properties.name)}, ${d.member_count} members, ${plainMembers(d)}`
    case 'MESSAGE_CREATE':
    case 'MESSAGE_UPDATE':
      return `${quoted(tagOf(d.author))}: ${quoted(d.content)} ${plainMembers({ channel_id: d.channel_id, id: d.id })}`
    case 'GUILD_MEMBER_ADD':
    case 'GUILD_MEMBER_UPDATE':
      return `${quoted(tagOf(d.user))} ${plainMembers({ guild_id: d.guild_id, user_id: d.user.id })}`
    case 'GUILD_ROLE_CREATE':
    case 'GUILD_ROLE_UPDATE':
      return `${quoted(d.role.name)} ${plainMembers({ guild_id: d.guild_id, role_id: d.role.id })}`
    default:
      return plainMembers(d)
  }
}

function tagOf({ username, discriminator }: { readonly username: string; readonly discriminator: string }): string {
  return `${username}#${discriminator}`
}

/** The members that are no lists and no objects; of a list, how many it has. Ids of a member's user are members too. */
function plainMembers(d: object): string {
  if (Array.isArray(d)) return `${d.length} entries`
  const user: unknown = 'user' in d ? d.user : undefined
  const whole = typeof user === 'object' && user !== null && 'id' in user ? { ...d, user_id: user.id } : d
  const plain = Object.entries(whole).filter(([, value]) => ['string', 'number', 'boolean'].includes(typeof value))
  return shortened(plain.map(([name, value]) => `${name}=${harmless(value).replace(/^"([\w-]*)"$/, '$1')}`).join(' '))
}

function quoted(text: string): string {
  return shortened(harmless(text))
}

/** What others wrote, as JSON in which nothing moves the cursor, ends the line or turns its direction. */
function harmless(value: unknown): string {
  return JSON.stringify(value).replaceAll(/[\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g, escaped)
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}

function shortened(text: string): string {
  return text.length > text_characters_max ? `${text.slice(0, text_characters_max)}…` : text
}
