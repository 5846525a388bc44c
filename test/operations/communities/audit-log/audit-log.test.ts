import { describe, expect, it } from 'vitest'
import { field } from '../../../../domain/kernel/refusal.ts'
import type { TestAccount } from '../../../support/test-guildhall.ts'
import { bodyOf, expectFields, expectRefusal, found } from '../../support/answers.ts'
import { openScene } from '../../support/scene.ts'

const { guildhall, ada, brian, carol, home } = await openScene()

const nowhere = '1'
const auditLog = (account: TestAccount, id: string, query = '') =>
  guildhall.request('GET', `/v1/guilds/${id}/audit-logs${query}`, { token: account.token })

describe('List guild audit log entries', () => {
  it('lists newest first the effects of invites, with the given reason', async () => {
    const headers = { 'x-audit-log-reason': ' for friends ' }
    const place = await found(guildhall, ada)
    const body = { unique: true, max_uses: 3 }
    const made = bodyOf(
      await guildhall.request('POST', `/v1/channels/${place.channel}/invites`, { token: ada.token, body, headers }),
    )
    await guildhall.request('DELETE', `/v1/invites/${String(made['code'])}`, { token: ada.token })
    const log = bodyOf(await auditLog(ada, place.id))
    expect(log).toMatchObject({
      users: [{ id: ada.id }],
      webhooks: [],
      integrations: [],
      application_commands: [],
      auto_moderation_rules: [],
      guild_scheduled_events: [],
    })
    expect(log['audit_log_entries']).toMatchObject([
      { action_type: 42, target_id: made['code'], user_id: ada.id },
      {
        action_type: 40,
        target_id: made['code'],
        reason: 'for friends',
        options: { channel_id: place.channel, max_uses: 3 },
      },
    ])
    const entries = log['audit_log_entries'] as readonly { readonly id: string }[]
    const ids = async (query: string) =>
      (bodyOf(await auditLog(ada, place.id, query))['audit_log_entries'] as typeof entries).map(({ id }) => id)
    const [newest = '', oldest = ''] = entries.map(({ id }) => id)
    expect(await ids('?limit=0')).toStrictEqual([newest])
    expect(await ids(`?before=${newest}`)).toStrictEqual([oldest])
    expect(await ids(`?after=${oldest}`)).toStrictEqual([newest])
    expect(await ids('?action_type=40')).toStrictEqual([oldest])
    expect(await ids(`?user_id=${brian.id}`)).toStrictEqual([])
  })

  it('refuses an unknown guild, a stranger, and a member without VIEW_AUDIT_LOG', async () => {
    expectRefusal(await auditLog(ada, nowhere), 404, 'UNKNOWN_GUILD')
    expectRefusal(await auditLog(carol, home.id), 403, 'MISSING_PERMISSIONS')
    expectRefusal(await auditLog(brian, home.id), 403, 'MISSING_PERMISSIONS')
  })

  it.each([
    ['?before=1&after=2', field('before', 'CANNOT_SPECIFY_BOTH_BEFORE_AND_AFTER')],
    ['?limit=101', field('limit', 'VALUE_MUST_BE_INTEGER_IN_RANGE')],
    ['?limit=-1', field('limit', 'VALUE_MUST_BE_INTEGER_IN_RANGE')],
    ['?action_type=2', field('action_type', 'INVALID_FORMAT')],
    ['?action_type=110', field('action_type', 'INVALID_FORMAT')],
    ['?user_id=x', field('user_id', 'INVALID_SNOWFLAKE_FORMAT')],
  ])('refuses %s', async (query, expected) => {
    expectFields(await auditLog(ada, home.id, query), expected)
  })
})
