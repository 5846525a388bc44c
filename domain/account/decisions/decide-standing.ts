import { accept, refuse, type Decision, type Decisions } from '../../kernel/decider.ts'
import { field } from '../../kernel/refusal.ts'
import { sameJson } from '../../kernel/same-json.ts'
import { banEnd, isBanOver } from '../ban.ts'
import type { AccountEvent } from '../events.ts'
import { botFlags, changedFlags, hasClosingFlag, hasFlag } from '../flags.ts'
import { deletionBy, isDueAt } from '../pending-deletion.ts'
import type {
  BanAccount,
  CancelDeletion,
  ChangeBotFlags,
  ChangeDateOfBirth,
  EndExpiredBan,
  FinishMessageDeletion,
  ScheduleDeletion,
  ScheduleMessageDeletion,
  SetBotStatus,
  SetSystemStatus,
  SetTraits,
  StandingCommand,
  UpdateFlags,
} from '../standing-commands.ts'
import type { Account } from '../state.ts'
import { endAccess } from './end-access.ts'

/** How it is decided what an account is and may do. */
export const standingDecisions: Decisions<Account, StandingCommand, AccountEvent> = {
  UpdateFlags: updateFlags,
  ChangeBotFlags: changeBotFlags,
  NoteGatewaySession: noteGatewaySession,
  SetTraits: setTraits,
  SetBotStatus: setBotStatus,
  SetSystemStatus: setSystemStatus,
  ChangeDateOfBirth: changeDateOfBirth,
  BanAccount: ban,
  LiftAccountBan: liftBan,
  EndExpiredBan: endExpiredBan,
  ScheduleDeletion: scheduleDeletion,
  CancelDeletion: cancelDeletion,
  ScheduleMessageDeletion: scheduleMessageDeletion,
  CancelMessageDeletion: cancelMessageDeletion,
  // The holder's clients are told even if nothing was scheduled.
  WithdrawMessageDeletion: ({ id: accountId }) => accept({ type: 'MessageDeletionWithdrawn', data: { accountId } }),
  FinishMessageDeletion: finishMessageDeletion,
}

/** All bits are stored as given. One that closes the account ends its sessions, as no closed account has any. */
function updateFlags(account: Account, { add, remove }: UpdateFlags): Decision<AccountEvent> {
  const flags = changedFlags(account.flags, add, remove)
  if (flags === account.flags) return accept()
  return accept<AccountEvent>(
    { type: 'FlagsChanged', data: { accountId: account.id, flags, before: account.flags } },
    ...(hasClosingFlag({ flags }) ? endAccess(account, 'close') : []),
  )
}

/** Changes nothing for an account that is not a bot. */
function changeBotFlags(account: Account, { flags }: ChangeBotFlags): Decision<AccountEvent> {
  if (!account.bot) return accept()
  return updateFlags(account, { type: 'UpdateFlags', add: [`${flags & botFlags}`], remove: [`${botFlags & ~flags}`] })
}

function noteGatewaySession(account: Account): Decision<AccountEvent> {
  if (hasFlag(account, 'HAS_SESSION_STARTED')) return accept()
  return accept({ type: 'GatewaySessionNoted', data: { accountId: account.id } })
}

/** Repeats collapse. */
function setTraits(account: Account, command: SetTraits): Decision<AccountEvent> {
  const traits = [...new Set(command.traits)].toSorted()
  if (sameJson(traits, account.traits)) return accept()
  return accept({ type: 'TraitsSet', data: { accountId: account.id, traits } })
}

/**
 * A new bot has no sessions: bots authenticate with bot tokens only. Refuses with ACCESS_DENIED for a new bot that holds an ACL.
 */
function setBotStatus(account: Account, { bot }: SetBotStatus): Decision<AccountEvent> {
  if (bot && account.acls.length > 0) return refuse('ACCESS_DENIED')
  if (bot === account.bot) return accept()
  return accept<AccountEvent>(
    { type: 'BotStatusSet', data: { accountId: account.id, bot } },
    ...(bot ? endAccess(account, 'becomeBot') : []),
  )
}

/** Refuses with USER_MUST_BE_A_BOT_TO_BE_MARKED_AS_A_SYSTEM_USER on `system`. */
function setSystemStatus(account: Account, { system }: SetSystemStatus): Decision<AccountEvent> {
  if (system && !account.bot) {
    return refuse('INVALID_FORM_BODY', field('system', 'USER_MUST_BE_A_BOT_TO_BE_MARKED_AS_A_SYSTEM_USER'))
  }
  if (system === account.system) return accept()
  return accept({ type: 'SystemStatusSet', data: { accountId: account.id, system } })
}

function changeDateOfBirth(account: Account, { dateOfBirth }: ChangeDateOfBirth): Decision<AccountEvent> {
  if (dateOfBirth === account.dateOfBirth) return accept()
  return accept({ type: 'DateOfBirthChanged', data: { accountId: account.id, dateOfBirth } })
}

function ban(account: Account, { duration_hours, now }: BanAccount): Decision<AccountEvent> {
  const until = banEnd(duration_hours, now)
  if (account.bannedUntil === until && hasFlag(account, 'DISABLED')) return accept()
  return accept<AccountEvent>(
    { type: 'AccountBanned', data: { accountId: account.id, until, bannedAt: now } },
    ...endAccess(account, 'close'),
  )
}

/** Also enables an account that its holder has disabled. */
function liftBan(account: Account): Decision<AccountEvent> {
  if (account.bannedUntil === null && !hasFlag(account, 'DISABLED')) return accept()
  return accept({ type: 'AccountBanLifted', data: { accountId: account.id } })
}

function endExpiredBan(account: Account, { now }: EndExpiredBan): Decision<AccountEvent> {
  if (!isBanOver(account, now)) return accept()
  return accept({ type: 'AccountBanLifted', data: { accountId: account.id } })
}

/**
 * The sessions end first: none is told of the change (rules/administration#scheduled-deletions). Refuses with CONFLICT
 * unless the command names the pending deletion, or none if there is none.
 */
function scheduleDeletion(account: Account, command: ScheduleDeletion): Decision<AccountEvent> {
  const deletion = deletionBy(command)
  if (!isDueAt(account, command.replaces)) return refuse('CONFLICT')
  if (sameJson(account.deletion, deletion)) return accept()
  return accept<AccountEvent>(...endAccess(account, 'close'), {
    type: 'AccountDeletionScheduled',
    data: {
      accountId: account.id,
      ...deletion,
      ...(account.premium.purchases.some(({ kind }) => kind === 'subscription') && { hasSubscriptions: true }),
    },
  })
}

/** Refuses with NO_PENDING_DELETION, and with CONFLICT if another deletion is pending. */
function cancelDeletion(account: Account, { dueAt }: CancelDeletion): Decision<AccountEvent> {
  if (account.deletion === null) return refuse('NO_PENDING_DELETION')
  if (!isDueAt(account, dueAt)) return refuse('CONFLICT')
  return accept({ type: 'AccountDeletionCancelled', data: { accountId: account.id } })
}

function scheduleMessageDeletion(account: Account, command: ScheduleMessageDeletion): Decision<AccountEvent> {
  const { type: _, ...messageDeletion } = command
  if (sameJson(account.messageDeletion, messageDeletion)) return accept()
  return accept({ type: 'MessageDeletionScheduled', data: { accountId: account.id, ...messageDeletion } })
}

function cancelMessageDeletion({ id: accountId, messageDeletion }: Account): Decision<AccountEvent> {
  return messageDeletion === null ? accept() : accept({ type: 'MessageDeletionCancelled', data: { accountId } })
}

function finishMessageDeletion(account: Account, { dueAt }: FinishMessageDeletion): Decision<AccountEvent> {
  if (account.messageDeletion?.dueAt !== dueAt) return accept()
  return accept({ type: 'MessageDeletionFinished', data: { accountId: account.id, dueAt } })
}
