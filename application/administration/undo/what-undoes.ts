import { account } from '../../../domain/account/account.ts'
import type { AccountEvent } from '../../../domain/account/events.ts'
import type { Account, AccountState } from '../../../domain/account/state.ts'
import type { EntryId } from '../../../domain/ids/ids.ts'
import type { Timestamp } from '../../../domain/kernel/timestamp.ts'
import type { RecordedEvent } from '../../ports/event-store.ts'

/** What takes back an administrator's act on an account. */
export type Undoing =
  | { readonly outcome: 'lift_ban'; readonly replacedUntil: Timestamp | null }
  | { readonly outcome: 'cancel_deletion'; readonly dueAt: Timestamp; readonly replacedDueAt: Timestamp | null }
  /** Unsigned decimal words; `isPremium` for the premium flags. */
  | { readonly outcome: 'change_flags'; readonly isPremium: boolean; readonly add: string; readonly remove: string }
  | { readonly outcome: 'set_traits'; readonly traits: readonly string[] }
  | { readonly outcome: 'set_acls'; readonly acls: readonly string[] }
  | { readonly outcome: 'set_bot_status'; readonly bot: boolean }
  | { readonly outcome: 'set_system_status'; readonly system: boolean }
  | { readonly outcome: 'change_date_of_birth'; readonly dateOfBirth: string }
  | CannotUndo

export type CannotUndo =
  /** The entry has no event that can be undone: it is of another kind, or it changed nothing. */
  | { readonly outcome: 'nothing_to_undo' }
  /** The account is erased, or being erased. */
  | { readonly outcome: 'erased' }
  /** What the act changed was changed again. */
  | { readonly outcome: 'changed_since'; readonly by: RecordedEvent }

interface Step {
  readonly recorded: RecordedEvent
  readonly event: AccountEvent
  readonly before: AccountState
  readonly after: AccountState
}

type Act = Step & { readonly event: Extract<AccountEvent, { readonly type: (typeof undoable)[number] }> }

const undoable = [
  'AccountBanned',
  'AccountDeletionScheduled',
  'AclsSet',
  'BotStatusSet',
  'DateOfBirthChanged',
  'FlagsChanged',
  'PremiumFlagsChanged',
  'SystemStatusSet',
  'TraitsSet',
] as const

/** What undoes the act with an entry of the admin audit log. `history`: every event of the account, oldest first. */
export function whatUndoes(history: readonly RecordedEvent[], entry: EntryId): Undoing {
  const steps = stepsOf(history)
  const acts = steps.filter(isUndoable)
  const act = acts.find(({ recorded }) => recorded.metadata.adminAction?.entryId === entry)
  if (!act) return nothing
  if (steps.at(-1)?.after.status !== 'registered') return { outcome: 'erased' }
  const later = steps.slice(steps.indexOf(act) + 1).find((step) => changesAgain(act, step))
  return later ? { outcome: 'changed_since', by: later.recorded } : undoingOf(act)
}

function stepsOf(history: readonly RecordedEvent[]): readonly Step[] {
  const steps: Step[] = []
  for (const recorded of history) {
    const before = steps.at(-1)?.after ?? account.initial
    // The stream of an account holds its events alone.
    const event = { type: recorded.type, data: recorded.data } as AccountEvent
    steps.push({ recorded, event, before, after: account.evolve(before, event) })
  }
  return steps
}

function isUndoable(step: Step): step is Act {
  return undoable.some((type) => type === step.event.type)
}

/** Whether a later event changed what an act changed, so that taking the act back would take that back too. */
function changesAgain({ event, before, after }: Act, later: Step): boolean {
  switch (event.type) {
    case 'AccountBanned':
      return later.event.type === 'AccountBanned' || later.event.type === 'AccountBanLifted'
    case 'AccountDeletionScheduled':
      return differs(later, ({ deletion }) => deletion?.dueAt ?? null)
    case 'AclsSet':
      return differs(later, ({ acls }) => acls.toSorted().join(' '))
    case 'BotStatusSet':
      // Only a bot is a system account, so giving it back would change that too.
      return differs(later, ({ bot, system }) => `${bot} ${system}`)
    case 'SystemStatusSet':
      return differs(later, ({ system }) => String(system))
    case 'TraitsSet':
      return differs(later, ({ traits }) => JSON.stringify(traits))
    case 'DateOfBirthChanged':
      return differs(later, ({ dateOfBirth }) => dateOfBirth)
    case 'FlagsChanged': {
      const bits = changedBits(wordIn(before, flagsOf), wordIn(after, flagsOf))
      return differs(later, (held) => flagsOf(held) & bits)
    }
    case 'PremiumFlagsChanged': {
      const bits = changedBits(wordIn(before, premiumFlagsOf), wordIn(after, premiumFlagsOf))
      return differs(later, (held) => premiumFlagsOf(held) & bits)
    }
  }
}

function differs({ before, after }: Step, fact: (held: Account) => bigint | string | null): boolean {
  return before.status === 'registered' && after.status === 'registered' && fact(before) !== fact(after)
}

const nothing = { outcome: 'nothing_to_undo' } as const

function undoingOf({ event, before, after }: Act): Undoing {
  const earlier = before.status === 'registered' ? before : null
  switch (event.type) {
    case 'AccountBanned':
      return { outcome: 'lift_ban', replacedUntil: earlier?.bannedUntil ?? null }
    case 'AccountDeletionScheduled':
      return {
        outcome: 'cancel_deletion',
        dueAt: event.data.dueAt,
        replacedDueAt: earlier?.deletion?.dueAt ?? null,
      }
    case 'AclsSet':
      return earlier ? { outcome: 'set_acls', acls: earlier.acls } : nothing
    case 'BotStatusSet':
      // What was a system account too has lost both at once, and no operation gives both back.
      return earlier && !earlier.system ? { outcome: 'set_bot_status', bot: earlier.bot } : nothing
    case 'SystemStatusSet':
      return earlier ? { outcome: 'set_system_status', system: earlier.system } : nothing
    case 'TraitsSet':
      return earlier ? { outcome: 'set_traits', traits: earlier.traits } : nothing
    case 'DateOfBirthChanged': {
      const dateOfBirth = earlier?.dateOfBirth ?? null
      return dateOfBirth === null ? nothing : { outcome: 'change_date_of_birth', dateOfBirth }
    }
    case 'FlagsChanged':
      return { ...backTo(wordIn(before, flagsOf), wordIn(after, flagsOf)), isPremium: false }
    case 'PremiumFlagsChanged':
      return { ...backTo(wordIn(before, premiumFlagsOf), wordIn(after, premiumFlagsOf)), isPremium: true }
  }
}

/** Changes only the bits that differ. */
function backTo(before: bigint, after: bigint) {
  const bits = changedBits(before, after)
  return { outcome: 'change_flags', add: String(before & bits), remove: String(after & bits) } as const
}

const changedBits = (before: bigint, after: bigint): bigint => before ^ after
const flagsOf = ({ flags }: Account): bigint => BigInt(flags)
const premiumFlagsOf = ({ premiumFlags }: Account): bigint => BigInt(premiumFlags)

function wordIn(state: AccountState, word: (held: Account) => bigint): bigint {
  return state.status === 'registered' ? word(state) : 0n
}
