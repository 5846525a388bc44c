import { describe, expect, it } from 'vitest'
import { openOutbox } from '../../../adapters/mail/outbox.ts'
import { accountId } from '../../../domain/ids/ids.ts'
import { snowflake } from '../../../domain/ids/snowflake.ts'
import { administrator, auditEntries } from '../../support/administrators.ts'
import { bodyOf, expectRefusal } from '../support/answers.ts'
import { openServer } from '../support/scene.ts'

type Listed = Readonly<Record<string, unknown>>

const guildhall = await openServer({})
const wide = await administrator(guildhall, 'admin:authenticate', 'jobs:view', 'user:view:email')
const narrow = await administrator(guildhall, 'admin:authenticate', 'jobs:view')
const { database, personalDataKey } = guildhall.store
const outbox = openOutbox(database, personalDataKey)

/** Mails about an account: one that waits, one that is refused, one that is kept, and one that was sent. */
async function mailsAbout(id: string): Promise<void> {
  const add = (key: string, state: 'waiting' | 'kept') =>
    outbox.add(
      {
        key: `${id} ${key}`,
        accountId: accountId(snowflake(id)),
        template: 'password_reset',
        cause: { correlationId: 'request', causationId: 'command' },
      },
      { to: `${id}@example.com`, subject: 'SUBJECT', text: 'https://chat.example.com/reset#token=CANARY' },
      state,
    )
  await add('sent', 'waiting')
  await add('parked', 'waiting')
  await add('waiting', 'waiting')
  await add('kept', 'kept')
  const { rows } = await database.pool.query<{ id: string }>(
    'select id from mail.outbox where account_id = $1 order by id desc limit 4',
    [id],
  )
  const [, , parked, sent] = rows.map((row) => row.id)
  await outbox.sent(sent ?? '')
  await outbox.take(parked ?? '')
  await outbox.park(parked ?? '', 'EENVELOPE 550')
}

const get = (query: string, { token } = wide) => guildhall.request('GET', `/v1/admin/mails${query}`, { token })
const list = async (query: string, as = wide) => {
  const body = bodyOf(await get(query, as))
  return { ...body, mails: body['mails'] as readonly Listed[] } as Listed & { readonly mails: readonly Listed[] }
}
const { id } = await guildhall.register()
await mailsAbout(id)

describe('List mails', () => {
  it('has what waits, is kept or refused, the newest first, and nothing that stands in it', async () => {
    const answer = await get(`?user_id=${id}&limit=3`)
    const { mails } = bodyOf(answer) as { readonly mails: readonly Listed[] }
    expect(mails.map(({ state }) => state)).toEqual(['kept', 'waiting', 'parked'])
    expect(mails[2]).toMatchObject({
      template: 'password_reset',
      user_id: id,
      email: `${id}@example.com`,
      tries: 1,
      next_try_at: null,
      failure: 'EENVELOPE 550',
    })
    expect(mails[1]).toMatchObject({ tries: 0, failure: null })
    expect(Date.parse(String(mails[1]?.['next_try_at']))).not.toBeNaN()
    for (const secret of ['CANARY', 'SUBJECT']) expect(JSON.stringify(mails)).not.toContain(secret)
  })

  it('shows addresses to holders of user:view:email alone', async () => {
    const { mails } = await list(`?user_id=${id}&state=waiting`, narrow)
    expect(mails).toMatchObject([{ email: '[redacted]', user_id: id }])
  })

  it('filters by state, and goes on where a page ended', async () => {
    const { mails, ...first } = await list(`?user_id=${id}&limit=2`)
    expect(first).toEqual({ has_more: true, next_after: mails[1]?.['id'] })
    const rest = await list(`?user_id=${id}&limit=2&after=${String(first['next_after'])}`)
    expect(rest.mails.map(({ state }) => state)).toEqual(['parked'])
    expect(rest).toMatchObject({ has_more: false, next_after: null })
    for (const state of ['waiting', 'kept', 'parked'])
      expect((await list(`?user_id=${id}&state=${state}`)).mails.map((mail) => mail['state'])).toEqual([state])
    expect((await list(`?user_id=${wide.id}`)).mails.filter((mail) => mail['user_id'] !== wide.id)).toEqual([])
  })

  it('refuses another state, another cursor, and whoever lacks the right', async () => {
    for (const query of [
      '?state=sent',
      '?after=none',
      '?after=-1',
      `?after=${'9'.repeat(19)}`,
      '?user_id=x',
      '?limit=201',
    ])
      expectRefusal(await get(query), 400, 'INVALID_FORM_BODY')
    const stranger = await administrator(guildhall, 'admin:authenticate', 'user:view:email')
    expectRefusal(await get('', stranger), 403, 'MISSING_ACL')
    expect((await guildhall.request('GET', '/v1/admin/mails', {})).status).toBe(401)
  })

  it('has none about an account that is forgotten', async () => {
    const gone = await guildhall.register()
    await mailsAbout(gone.id)
    await outbox.forget(accountId(snowflake(gone.id)))
    expect((await list(`?user_id=${gone.id}`)).mails).toEqual([])
  })

  it('is recorded, with what was asked for', async () => {
    await list(`?user_id=${id}&state=parked`)
    expect((await auditEntries(guildhall)).at(-1)).toMatchObject({
      action: 'list_mails',
      targetType: 'mail',
      metadata: { state: 'parked', user_id: id, limit: '50', result_count: '1' },
    })
  })
})
