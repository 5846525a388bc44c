import type { z } from 'zod'
import { foundUsers, userSessions } from '../../adapters/http/schemas/administration/user-reads.ts'
import { terminatedSessions } from '../../adapters/http/schemas/administration/user-people.ts'
import { deletionReasonCode } from '../../domain/account/deletion-reasons.ts'
import { accountFlags, flagNames } from '../../domain/account/flags.ts'
import type { AccountId } from '../../domain/ids/ids.ts'
import { actOn, readOf, userReply, type ActOptions, type Print } from '../operator/act-on.ts'
import type { OperatorRequest } from '../operator/carry-out-as-operator.ts'
import { nobody } from './account-named.ts'
import { printedMembers } from './printed-members.ts'
import type { adminUserSchema } from '../../application/wire-objects/administration/admin-user-object.ts'

export interface MailOptions {
  /** Whether its holder gets a mail. */
  readonly mail: boolean
}

export interface PublicReasonOptions {
  /** For the holder. */
  readonly publicReason?: string
}

/** Prints an account with everything that an administrator may see. */
export async function showUser(who: string, print: Print): Promise<void> {
  const { users } = foundUsers.parse(await readOf(who, 'Get user', print))
  const [user] = users
  if (!user) throw nobody(who)
  for (const line of printedMembers(user)) print(line)
}

export type BanOptions = ActOptions & MailOptions & PublicReasonOptions & { readonly hours: string }

/** Bans an account. */
export async function banUser(who: string, options: BanOptions, print: Print): Promise<void> {
  const body = {
    duration_hours: wholeNumber('--hours', options.hours),
    reason: options.publicReason ?? null,
    notify_user: options.mail,
  }
  await actOn(who, options, print, async (id) => ({
    asked: { operation: 'Ban user', params: { user_id: id }, body },
    said: (reply) => `Account ${id} is banned until ${userReply(reply).temp_banned_until}.`,
  }))
}

/** Lifts a ban. */
export async function unbanUser(
  who: string,
  options: ActOptions & MailOptions & PublicReasonOptions,
  print: Print,
): Promise<void> {
  const body = { public_reason: options.publicReason ?? null, notify_user: options.mail }
  await actOn(who, options, print, async (id) => ({
    asked: { operation: 'Lift ban', params: { user_id: id }, body },
    said: () => `Account ${id} is not banned.`,
  }))
}

export type DeleteOptions = ActOptions &
  MailOptions &
  PublicReasonOptions & { readonly because: string; readonly days: string; readonly replaces?: string }

/** Schedules the deletion of an account. */
export async function deleteUser(who: string, options: DeleteOptions, print: Print): Promise<void> {
  const code = /^\d+$/.test(options.because) ? Number(options.because) : deletionReasonCode(options.because)
  if (code === undefined) throw new Error(`--because ${options.because} is no reason of the deletion reason registry`)
  const body = {
    reason_code: code,
    days: wholeNumber('--days', options.days),
    public_reason: options.publicReason ?? null,
    notify_user: options.mail,
    expected_pending_deletion_at: options.replaces ?? null,
  }
  await actOn(who, options, print, async (id, { aggregates }) => {
    const { state } = await aggregates.account.load(id)
    const pending = state.status === 'registered' ? state.deletion : null
    if (pending !== null && options.replaces === undefined)
      throw new Error(
        `The deletion of account ${id} is due at ${pending.dueAt} already: replace it with --replaces ${pending.dueAt}`,
      )
    return {
      asked: { operation: 'Schedule user deletion', params: { user_id: id }, body },
      said: (reply) => `The deletion of account ${id} is due at ${userReply(reply).pending_deletion_at}.`,
    }
  })
}

/** Cancels the pending deletion of an account, its holder's own too. */
export async function undeleteUser(who: string, options: ActOptions & MailOptions, print: Print): Promise<void> {
  await actOn(who, options, print, async (id, { aggregates }) => {
    const { state } = await aggregates.account.load(id)
    const pending = state.status === 'registered' ? state.deletion : null
    if (state.status === 'registered' && pending === null) throw new Error(`No deletion of account ${id} is pending`)
    const dueAt = pending?.dueAt ?? new Date(0).toISOString()
    const body = { expected_pending_deletion_at: dueAt, notify_user: options.mail }
    return {
      asked: { operation: 'Cancel user deletion', params: { user_id: id }, body },
      said: () => `The deletion of account ${id} that was due at ${dueAt} is cancelled.`,
    }
  })
}

export type SessionOptions = ActOptions & { readonly end?: boolean }

/** Prints the sessions of an account, live ones first, or ends the live ones. */
export async function userSessionsCommand(who: string, options: SessionOptions, print: Print): Promise<void> {
  if (options.end === true) return endSessions(who, options, print)
  if (options.dryRun === true) throw new Error('--dry-run goes with --end')
  const { sessions } = userSessions.parse(await readOf(who, 'List user sessions', print))
  for (const session of sessions) print(sessionLine(session))
  if (sessions.length === 0) print('The account has no sessions.')
}

function endSessions(who: string, options: ActOptions, print: Print): Promise<void> {
  return actOn(who, options, print, async (id) => ({
    asked: { operation: 'Terminate user sessions', params: { user_id: id } },
    said: (reply) => `Ended ${terminatedSessions.parse(reply).terminated_count} sessions of account ${id}.`,
  }))
}

function sessionLine(session: z.output<typeof userSessions>['sessions'][number]): string {
  const { created_at: since, approx_last_used_at: used, deleted_at: ended, client_ip: ip } = session
  const client = [session.client_os, session.client_platform].filter((part) => part !== null).join(', ')
  const end = ended === null ? 'live' : `ended ${ended}`
  return [end, `since ${since}`, `last used ${used}`, ip, client].filter((part) => part !== '').join('  ')
}

export type FlagOptions = ActOptions & { readonly add?: readonly string[]; readonly remove?: readonly string[] }

/** Prints the flags of an account by name, or changes some. */
export async function userFlags(who: string, options: FlagOptions, print: Print): Promise<void> {
  const { add = [], remove = [] } = options
  if (add.length + remove.length > 0) {
    const body = { add_flags: add.map(flagIn), remove_flags: remove.map(flagIn) }
    await actOn(who, options, print, async (id) => flagChange(id, body))
    return
  }
  if (options.dryRun === true) throw new Error('--dry-run goes with --add or --remove')
  const [user] = foundUsers.parse(await readOf(who, 'Get user', print)).users
  if (!user) throw nobody(who)
  print(flagsLine(user))
}

function flagChange(
  id: AccountId,
  body: object,
): { readonly asked: OperatorRequest; readonly said: (reply: unknown) => string } {
  return {
    asked: { operation: 'Update user flags', params: { user_id: id }, body },
    said: (reply) => `The flags of account ${id} are ${flagsLine(userReply(reply))}.`,
  }
}

function flagIn(text: string): string {
  if (/^\d+$/.test(text)) return text
  const known = Object.entries(accountFlags).find(([name]) => name === text.toUpperCase())
  if (!known) throw new Error(`${text} is no flag. Flags are numbers, or: ${Object.keys(accountFlags).join(' ')}`)
  return String(known[1])
}

function flagsLine({ flags }: Pick<z.output<typeof adminUserSchema>, 'flags'>): string {
  return [flags, ...flagNames(flags)].join(' ')
}

function wholeNumber(option: string, text: string): number {
  if (!/^\d{1,6}$/.test(text)) throw new Error(`${option} ${text} is not a whole number`)
  return Number(text)
}
