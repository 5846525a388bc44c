import { accountId, roleId, type AccountId, type RoleId } from '../ids/ids.ts'
import { parseSnowflake, type Snowflake } from '../ids/snowflake.ts'

/** The mentions in a text, whether or not they are permitted. */
export interface SpokenMentions {
  readonly accounts: readonly AccountId[]
  readonly roles: readonly RoleId[]
  readonly everyone: boolean
  readonly here: boolean
}

/** What `allowed_mentions` says: the mentions that the author allows to take effect. */
export interface AllowedMentions {
  /** The kinds of mentions that all take effect. */
  readonly parse: readonly MentionKind[]
  readonly accounts: readonly AccountId[]
  readonly roles: readonly RoleId[]
  /** Whether to mention the author of the message replied to. */
  readonly repliedUser: boolean
}

export type MentionKind = 'users' | 'roles' | 'everyone'

/** The default. */
export const everyMention: AllowedMentions = {
  parse: ['users', 'roles', 'everyone'],
  accounts: [],
  roles: [],
  repliedUser: true,
}

/** Who can be mentioned in a place, and by whom. */
export interface MentionScope {
  /** Whether an account can be mentioned there. */
  readonly isNameable: (account: AccountId) => boolean
  readonly roles: readonly { readonly id: RoleId; readonly mentionable: boolean }[]
  /** Whether the author may mention everyone, and roles that are not mentionable (MENTION_EVERYONE). */
  readonly mayNameAll: boolean
  /** Whether mentioning everyone works there at all: not in private channels, nor while the guild has it disabled. */
  readonly hasEveryone: boolean
}

/** The stored mentions of a message. */
export interface Mentions {
  readonly mentions: readonly AccountId[]
  readonly mentionRoles: readonly RoleId[]
  /** Whether it mentions everyone, or everyone who is online. */
  readonly mentionsEveryone: boolean
  readonly mentionsHere: boolean
}

/** How many accounts, and how many roles, a message can mention; further ones are ignored. */
export const namedInMessage_max = 100

// Each pattern takes linear time: a repetition ends with a character that it cannot contain.
const code = /```[\s\S]*?```|`[^`\n]+`/g
const mention = /<@(&?)!?([0-9]{1,20})>/g
const all = /(?<!\w)@(everyone|here)(?!\w)/g

/** The mentions in a text: `<@id>`, `<@!id>`, `<@&id>`, `@everyone` and `@here`, except in code. */
export function spokenMentions(text: string): SpokenMentions {
  const said = text.replace(code, ' ')
  const accounts = new Set<AccountId>()
  const roles = new Set<RoleId>()
  for (const [, isRole, digits = ''] of said.matchAll(mention)) {
    const id = idOf(digits)
    if (id === undefined) continue
    if (isRole) roles.add(roleId(id))
    else accounts.add(accountId(id))
  }
  const named = new Set([...said.matchAll(all)].map(([, name]) => name))
  return {
    accounts: [...accounts].slice(0, namedInMessage_max),
    roles: [...roles].slice(0, namedInMessage_max),
    everyone: named.has('everyone'),
    here: named.has('here'),
  }
}

function idOf(digits: string): Snowflake | undefined {
  const parsed = parseSnowflake(digits)
  return parsed.ok ? parsed.id : undefined
}

/**
 * The stored mentions of a message: those in the text that can be mentioned there, that the author may mention, and that the author
 * allows. `repliedTo`, the author of the message replied to, is mentioned without being in the text.
 */
export function mentionsIn(
  spoken: SpokenMentions,
  allowed: AllowedMentions,
  scope: MentionScope,
  repliedTo?: AccountId,
): Mentions {
  const wants = (kind: MentionKind): boolean => allowed.parse.includes(kind)
  const accounts = spoken.accounts.filter((id) => wants('users') || allowed.accounts.includes(id))
  const replied = repliedTo !== undefined && allowed.repliedUser ? [repliedTo] : []
  const nameable = new Set(scope.roles.filter(({ mentionable }) => mentionable || scope.mayNameAll).map(({ id }) => id))
  const namesAll = scope.hasEveryone && scope.mayNameAll && wants('everyone')
  return {
    mentions: [...new Set([...replied, ...accounts])].filter((id) => scope.isNameable(id)),
    mentionRoles: spoken.roles.filter((id) => nameable.has(id) && (wants('roles') || allowed.roles.includes(id))),
    mentionsEveryone: namesAll && (spoken.everyone || spoken.here),
    mentionsHere: namesAll && spoken.here,
  }
}
