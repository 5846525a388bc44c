import type { endingActs as everyAct } from '../../../domain/account/decisions/end-access.ts'
import { accountFlags } from '../../../domain/account/flags.ts'
import { listOf } from '../../operations/support/answers.ts'
import { tokenIn } from '../../operations/support/recovery.ts'
import type { TestAccount, TestAnswer, TestGuildhall } from '../../support/test-guildhall.ts'

type Act = (holder: TestAccount) => Promise<TestAnswer>

const password = 'a new password'

/**
 * Ways to carry out each act that ends all sessions of an account, by the act's name. Three acts have `endingActs`, since they need
 * an account of their own; erasure comes after a scheduled deletion. `root` is an administrator.
 */
export function sessionActs({ request, mailTo }: TestGuildhall, root: TestAccount) {
  const byHolder =
    (method: string, path: string, body: object): Act =>
    ({ token, password: proof }) =>
      request(method, path, { token, body: { password: proof, ...body } })
  const byAdministrator =
    (method: string, path: string, body?: object): Act =>
    ({ id }) =>
      request(method, `/v1/admin/users/${id}/${path}`, { token: root.token, ...(body && { body }) })

  async function reset({ email }: TestAccount): Promise<TestAnswer> {
    await request('POST', '/v1/auth/forgot', { body: { email } })
    const token = tokenIn(await mailTo(email, 2))
    return request('POST', '/v1/auth/reset', { body: { token, password } })
  }

  async function logOutAll({ token, password: proof }: TestAccount): Promise<TestAnswer> {
    const sessions = listOf(await request('GET', '/v1/auth/sessions', { token }))
    const body = { session_id_hashes: sessions.map(({ id_hash: hash }) => hash), password: proof }
    return request('POST', '/v1/auth/sessions/logout', { token, body })
  }

  const flags = { add_flags: [accountFlags.DISABLED.toString()] }
  const closing = {
    'a ban': byAdministrator('PUT', 'ban', { duration_hours: 1 }),
    'a flag that closes the account': byAdministrator('PATCH', 'flags', flags),
    'a deletion that an administrator schedules': byAdministrator('PUT', 'deletion', { reason_code: 1 }),
  }
  return {
    endSessions: { 'logging out its sessions': logOutAll },
    newPassword: {
      'a new password': byHolder('PATCH', '/v1/users/@me', { new_password: password }),
      'a new password by a mailed link': reset,
    },
    terminate: { 'an administrator who terminates the sessions': byAdministrator('DELETE', 'sessions') },
    disable: { 'disabling the account': byHolder('POST', '/v1/users/@me/disable', {}) },
    scheduleSelfDeletion: { 'deleting the account': byHolder('POST', '/v1/users/@me/delete', {}) },
    close: closing,
    becomeBot: { 'becoming a bot': byAdministrator('PUT', 'bot-status', { bot: true }) },
  } satisfies Readonly<
    Record<
      Exclude<keyof typeof everyAct, 'adopt' | 'erase' | 'signOutEverywhere' | 'takeBack'>,
      Readonly<Record<string, Act>>
    >
  >
}

/** All of these ways, with their names. */
export function waysToEndSessions(guildhall: TestGuildhall, root: TestAccount): readonly (readonly [string, Act])[] {
  return Object.values(sessionActs(guildhall, root)).flatMap((ways) => Object.entries<Act>(ways))
}
