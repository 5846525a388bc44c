import { banEnd, isBanned } from '../../../domain/account/ban.ts'
import { hasFlag } from '../../../domain/account/flags.ts'
import type { Account } from '../../../domain/account/state.ts'
import type { AccountId } from '../../../domain/ids/ids.ts'
import type { Timestamp } from '../../../domain/kernel/timestamp.ts'
import type { Caller } from '../../caller.ts'
import { causeOf, type CommandContext } from '../../commands/command-context.ts'
import { notified } from '../../commands/notified.ts'
import type { Letter } from '../../ports/mail.ts'
import type { Ports } from '../../ports.ts'
import type { AdminUserObject } from '../../wire-objects/administration/admin-user-object.ts'
import { actOnAccount, type ActNeeds } from '../acls/act-on-account.ts'
import { changedUser, executeAndTell, requireTarget, type ChangedUserNeeds } from './target-account.ts'

export interface Ban {
  /** 0-8760; 0 bans permanently. */
  readonly duration_hours: number
  /** For the holder; null if none is given. Not kept on the account. */
  readonly reason: string | null
  readonly notifiesHolder: boolean
}

export interface BannedUser {
  readonly user: AdminUserObject
  readonly bannedUntil: Timestamp
  readonly isNotified: boolean
}

type Needs = ActNeeds & ChangedUserNeeds & Pick<Ports, 'deferred' | 'mail'>

/**
 * Bans an account of any kind but the caller's own, and ends all of its sessions. Mails the holder about a temporary
 * ban; the ban stands if that fails. Refuses with UNKNOWN_USER and as `requireMayAct`. See
 * rules/administration#accounts.
 */
export function banUser(ports: Needs) {
  return async (
    caller: Caller,
    target: AccountId,
    { duration_hours, reason, notifiesHolder }: Ban,
  ): Promise<BannedUser> => {
    const { context } = caller
    const command = { type: 'BanAccount', duration_hours, now: context.now } as const
    const { state } = await actOnAccount(ports, caller, target, { act: 'Ban user', closes: () => true }, (guard) =>
      ports.aggregates.account.execute(target, { ...command, ...guard }, context),
    )
    const bannedUntil = banEnd(duration_hours, context.now)
    const isNotified =
      notifiesHolder &&
      duration_hours > 0 &&
      state.status === 'registered' &&
      (await tell(ports, state, context, {
        template: 'account_banned',
        values: { username: state.username, duration_hours, until: bannedUntil, reason: reason === '' ? null : reason },
      }))
    return { user: await changedUser(ports, caller, target), bannedUntil, isNotified }
  }
}

export interface BanLift {
  /** For the holder; null if none is given. */
  readonly publicReason: string | null
  readonly notifiesHolder: boolean
}

export interface UnbannedUser {
  readonly user: AdminUserObject
  readonly isNotified: boolean
}

/**
 * Ends the ban of an account, if it has one, and removes DISABLED, even if its holder set that. Mails the holder where
 * this ended a ban, unless the account is deleted. Refuses with UNKNOWN_USER. See rules/administration#accounts.
 */
export function liftBan(ports: Needs) {
  return async (
    caller: Caller,
    target: AccountId,
    { publicReason, notifiesHolder }: BanLift,
  ): Promise<UnbannedUser> => {
    const { context } = caller
    const before = await requireTarget(ports, target)
    const lifted = await executeAndTell(ports, target, { type: 'LiftAccountBan' }, context)
    const isDeleted = hasFlag(before, 'DELETED') || hasFlag(before, 'SELF_DELETED')
    const isNotified =
      notifiesHolder &&
      isBanned(before, context.now) &&
      lifted.appended.length > 0 &&
      !isDeleted &&
      (await tell(ports, before, context, {
        template: 'account_ban_lifted',
        values: { username: before.username, reason: publicReason === '' ? null : publicReason },
      }))
    return { user: await changedUser(ports, caller, target), isNotified }
  }
}

type BanMail = {
  readonly [Template in 'account_banned' | 'account_ban_lifted']: Pick<
    Extract<Letter, { readonly template: Template }>,
    'template' | 'values'
  >
}['account_banned' | 'account_ban_lifted']

/** Whether the mail server has taken a mail about the ban: false too for an account without an address. */
async function tell(ports: Needs, account: Account, context: CommandContext, mail: BanMail): Promise<boolean> {
  const { id: accountId, email, locale } = account
  if (email === null) return false
  const key = `${mail.template} ${context.commandId}`
  const letter = { accountId, to: email, locale, key, cause: causeOf(context), ...mail }
  return notified(ports, letter)
}
