import type { TestAccount, TestAnswer, TestGuildhall } from '../../support/test-guildhall.ts'
import { bodyOf } from './answers.ts'

type Holder = Pick<TestAccount, 'token'>
type Members = Readonly<Record<string, unknown>>

/** The requests of users who report, and of an administrator who works on reports. */
export function reportsOn({ request }: Pick<TestGuildhall, 'request'>) {
  const report = (kind: string, { token }: Holder, body: Members) =>
    request('POST', `/v1/reports/${kind}`, { token, body })
  const at = (id: string, below = ''): string => `/v1/admin/reports/${id}${below}`
  return {
    reportMessage: (reporter: Holder, channel: string, message: string, more: Members = {}) =>
      report('message', reporter, { channel_id: channel, message_id: message, category: 'spam', ...more }),
    reportUser: (reporter: Holder, { id }: Pick<TestAccount, 'id'>, more: Members = {}) =>
      report('user', reporter, { user_id: id, category: 'harassment', ...more }),
    reportGuild: (reporter: Holder, { id }: { readonly id: string }, more: Members = {}) =>
      report('guild', reporter, { guild_id: id, category: 'spam', ...more }),
    list: ({ token }: Holder, query = '') => request('GET', `/v1/admin/reports${query}`, { token }),
    get: ({ token }: Holder, id: string) => request('GET', at(id), { token }),
    resolve: ({ token }: Holder, id: string, body: Members = {}) =>
      request('PATCH', at(id), { token, body: { status: 'resolved', ...body } }),
    claim: ({ token }: Holder, id: string) => request('PUT', at(id, '/claim'), { token }),
    release: ({ token }: Holder, id: string) => request('DELETE', at(id, '/claim'), { token }),
  }
}

/** The id of a report that was filed. */
export function reportIn(answer: TestAnswer): string {
  return String(bodyOf(answer)['report_id'])
}
