import { accountId, roleId, type AccountId, type RoleId } from '../ids/ids.js'
import { parseSnowflake, type Snowflake } from '../ids/snowflake.js'

/** Whom a text names, whoever may. */
export interface SpokenMentions {
  readonly accounts: readonly AccountId[]
  readonly roles: readonly RoleId[]
  readonly everyone: boolean
  readonly here: boolean
}

/** Of whom a text names, those that its author wants to be told (reference gateway 5.7, allowed_mentions). */
export interface AllowedMentions {
  /** What all that is named of a kind is told of. */
  readonly parse: readonly MentionKind[]
  readonly accounts: readonly AccountId[]
  readonly roles: readonly RoleId[]
  /** Whether the author of the message that is replied to is told. */
  readonly repliedUser: boolean
}

export type MentionKind = 'users' | 'roles' | 'everyone'

/** What holds where nothing is said. */
export const everyMention: AllowedMentions = {
  parse: ['users', 'roles', 'everyone'],
  accounts: [],
  roles: [],
  repliedUser: true,
}

/** Who can be named where a message stands, and by whom. */
export interface MentionScope {
  /** Who takes part there. */
  readonly takesPart: (account: AccountId) => boolean
  readonly roles: readonly { readonly id: RoleId; readonly mentionable: boolean }[]
  /** Whether the author may name everyone, and roles that cannot be named by all (MENTION_EVERYONE). */
  readonly mayNameAll: boolean
  /** Whether naming everyone works there at all: not in private channels, nor while the guild has it disabled. */
  readonly hasEveryone: boolean
}

/** Whom a message names for good. */
export interface Mentions {
  readonly mentions: readonly AccountId[]
  readonly mentionRoles: readonly RoleId[]
  /** Whether it names everyone, be it those alone who are there. */
  readonly mentionsEveryone: boolean
  readonly mentionsHere: boolean
}

/** Accounts, and roles, that one message names at most; who is named behind them is not told. */
export const namedInMessage_max = 100

// Each is linear in the text's length: a repetition ends with a character that it cannot hold itself.
const code = /```[\s\S]*?```|`[^`\n]+`/g
const mention = /<@(&?)!?([0-9]{1,20})>/g
const all = /(?<!\w)@(everyone|here)(?!\w)/g

/** Whom a text names: `<@id>`, `<@!id>`, `<@&id>`, `@everyone` and `@here`, but for what is set as code. */
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
 * Whom a message names for good: of those that its text names, who takes part where it stands, whom the author may name, and
 * whom it wants to. `repliedTo` is the author of the message that it replies to, who is named without being spoken of.
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
    mentions: [...new Set([...replied, ...accounts])].filter((id) => scope.takesPart(id)),
    mentionRoles: spoken.roles.filter((id) => nameable.has(id) && (wants('roles') || allowed.roles.includes(id))),
    mentionsEveryone: namesAll && (spoken.everyone || spoken.here),
    mentionsHere: namesAll && spoken.here,
  }
}
