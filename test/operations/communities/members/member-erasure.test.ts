import { expect, it } from 'vitest'
import { readModels } from '../../../../projections/read-models.ts'
import { verify } from '../../../../projections/runner/verify.ts'
import { accept, bodyOf, invite, listOf } from '../../support/answers.ts'
import { deletionIsDue, erase, everyEvent, everyRow } from '../../support/erasure.ts'
import { placeOf } from '../../support/members.ts'
import { send } from '../../support/messages.ts'
import { openServer } from '../../support/scene.ts'

const guildhall = await openServer({ trustedProxies: ['127.0.0.1'] })

const ip = '198.51.100.77'

it('removes all personal data from guilds, and leaves the rest equal to history', async () => {
  const ada = await guildhall.register()
  const [home, away] = [await placeOf(guildhall, ada), await placeOf(guildhall, ada)]
  const brian = await home.member()
  const { email, password } = brian
  const headers = { 'x-forwarded-for': ip }
  expect((await guildhall.request('POST', '/v1/auth/login', { body: { email, password }, headers })).status).toBe(200)
  await accept(guildhall, brian, await invite(guildhall, ada, away.channel))

  await home.send(brian, 'PATCH', '/members/@me', { nick: 'Countess', bio: 'Poet of science', pronouns: 'she' })
  const until = new Date(Date.now() + 3_600_000).toISOString()
  const timeout = { communication_disabled_until: until, timeout_reason: 'rude words' }
  await home.send(ada, 'PATCH', `/members/${brian.id}`, timeout, { 'x-audit-log-reason': 'shouted at Carol' })
  expect(await home.entries(24)).toMatchObject([{ reason: 'shouted at Carol' }, { user_id: brian.id }])
  expect((await away.send(ada, 'PUT', `/bans/${brian.id}`, { reason: 'rude again' })).status).toBe(204)
  // Nobody else reads these.
  const note = 'buy lace for Ada'
  expect((await send(guildhall, brian, brian.id, note)).status).toBe(200)
  expect(await everyRow(guildhall)).toContain(note)
  const personal = ['Countess', 'Poet of science', 'rude words', 'rude again', 'shouted at Carol', ip]
  const before = await everyEvent(guildhall)
  for (const text of personal) expect(before).toContain(text)

  await deletionIsDue(guildhall, brian)
  expect(await erase(guildhall, brian)).toBe(true)

  const [rows, events] = [await everyRow(guildhall), await everyEvent(guildhall)]
  for (const text of [...personal, email, note]) {
    expect(rows).not.toContain(text)
    expect(events).not.toContain(text)
  }
  const members = listOf(await home.send(ada, 'GET', '/members?limit=10'))
  expect(members.map(({ user }) => (user as Readonly<Record<string, unknown>>)['id'])).toStrictEqual([ada.id])
  expect(listOf(await away.send(ada, 'GET', '/bans'))).toMatchObject([
    { user: { id: brian.id, username: 'DeletedUser' }, reason: null, moderator_id: ada.id },
  ])
  expect((await home.entries(24))[0]).not.toHaveProperty('reason')
  const [entry] = await away.entries(22)
  expect(JSON.stringify(entry?.['changes'])).not.toContain('rude')
  expect(bodyOf(await home.send(ada, 'GET', ''))['member_count']).toBe(1)

  const { events: store, database } = guildhall.store
  const found = await verify({
    pool: database.pool,
    store,
    projections: readModels,
    signal: new AbortController().signal,
  })
  expect(found?.models.filter(({ tables }) => tables.length > 0)).toStrictEqual([])
})
