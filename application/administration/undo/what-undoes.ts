import { account } from '../../../domain/account/account.ts'
import type { AccountEvent } from '../../../domain/account/events.ts'
import type { Account, AccountState } from '../../../domain/account/state.ts'
import type { EntryId } from '../../../domain/ids/ids.ts'
import type { RecordedEvent } from '../../ports/event-store.ts'
import { foldedSteps, type FoldedStep } from './folded-steps.ts'
import { changedNothing, type AccountUndoing, type CannotUndo } from './undo-rule.ts'

type Step = FoldedStep<AccountState, AccountEvent>
type Act = Step & { readonly event: Extract<AccountEvent, { readonly type: (typeof undoable)[number] }> }

const undoable = [
  'AccountBanned',
  'AccountDeletionScheduled',
  'AclsGranted',
  'AclsSet',
  'BotStatusSet',
  'DateOfBirthChanged',
  'FlagsChanged',
  'PremiumFlagsChanged',
  'SystemStatusSet',
  'TraitsSet',
] as const

/** What undoes the act with an entry of the admin audit log. `history`: every event of the account, oldest first. */
export function whatUndoes(history: readonly RecordedEvent[], entry: EntryId): AccountUndoing | CannotUndo {
  const steps: readonly Step[] = foldedSteps(account, history)
  const acts = steps.filter(isUndoable)
  const act = acts.find(({ recorded }) => recorded.metadata.adminAction?.entryId === entry)
  if (!act) return changedNothing
  if (steps.at(-1)?.after.status !== 'registered') return { outcome: 'erased', why: 'The account is erased.' }
  const later = steps.slice(steps.indexOf(act) + 1).find((step) => changesAgain(act, step))
  return later ? { outcome: 'changed_since', by: later.recorded } : undoingOf(act)
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
    case 'AclsGranted':
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

function differs(step: Step, fact: (held: Account) => bigint | string | null): boolean {
  const { before, after } = step
  return before.status === 'registered' && after.status === 'registered' && fact(before) !== fact(after)
}

const noOpposite = (why: string): CannotUndo => ({ outcome: 'no_opposite', why })

function undoingOf({ event, before, after }: Act): AccountUndoing | CannotUndo {
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
    case 'AclsGranted':
    case 'AclsSet':
      return earlier ? { outcome: 'set_acls', acls: earlier.acls } : changedNothing
    case 'BotStatusSet':
      if (earlier?.system === true)
        return noOpposite(
          'A system account lost both at once, and no operation gives both back: set the one, then the other.',
        )
      return earlier ? { outcome: 'set_bot_status', bot: earlier.bot } : changedNothing
    case 'SystemStatusSet':
      return earlier ? { outcome: 'set_system_status', system: earlier.system } : changedNothing
    case 'TraitsSet':
      return earlier ? { outcome: 'set_traits', traits: earlier.traits } : changedNothing
    case 'DateOfBirthChanged': {
      const dateOfBirth = earlier?.dateOfBirth ?? null
      return dateOfBirth === null
        ? noOpposite('The account had no date of birth, and none can be taken away.')
        : { outcome: 'change_date_of_birth', dateOfBirth }
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
