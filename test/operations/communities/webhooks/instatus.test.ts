import { beforeEach, describe, expect, it } from 'vitest'
import { bodyOf, expectRefusal, listOf } from '../../support/answers.ts'
import { placeOf, type Place } from '../../support/members.ts'
import { openServer } from '../../support/scene.ts'
import type { Hook } from '../../support/webhooks.ts'

const guildhall = await openServer()
const ada = await guildhall.register()

/** Ada's guild with a webhook; every test has its own. */
let home: Place
let hook: Hook
beforeEach(async () => {
  home = await placeOf(guildhall, ada)
  const made = { token: ada.token, body: { name: 'Build' } }
  const { id, token } = bodyOf(await guildhall.request('POST', `/v1/channels/${home.channel}/webhooks`, made))
  hook = { id: String(id), token: String(token) }
})

const messages = async () =>
  listOf(await guildhall.request('GET', `/v1/channels/${home.channel}/messages`, { token: ada.token })).filter(
    ({ type }) => type === 0,
  )

describe('a message of Instatus', () => {
  const instatus = (body: unknown, by = hook) =>
    guildhall.request('POST', `/v1/webhooks/${by.id}/${by.token}/instatus`, { body })
  const page = { url: 'https://status.example.com' }

  it('is posted by its name, with an incident, a maintenance or a component in an embed', async () => {
    const incident_updates = [
      { body: 'We look into it.', created_at: '2026-01-01T00:00:00Z' },
      { body: 'It is mended.', created_at: '2026-01-02T00:00:00Z' },
    ]
    for (const body of [
      { page, incident: { name: 'Card is stuck', status: 'RESOLVED', incident_updates } },
      { page, maintenance: { name: 'Oiling', status: 'INPROGRESS', maintenance_updates: [] } },
      { page, component: { name: 'Mill', status: 'MAJOR_OUTAGE' } },
    ])
      expect((await instatus(body)).status).toBe(204)
    const shown = (await messages()).toReversed()
    expect(shown).toMatchObject([
      {
        author: { id: hook.id, username: 'Instatus' },
        embeds: [
          {
            title: 'Incident resolved: Card is stuck',
            description: 'It is mended.',
            url: 'https://status.example.com',
            color: 0x2da44e,
          },
        ],
      },
      { embeds: [{ title: 'Maintenance inprogress: Oiling', color: 0xcf222e }] },
      { embeds: [{ title: 'Component major outage: Mill', color: 0xcf222e }] },
    ])
  })

  it('posts nothing that it does not tell of, and nothing by a wrong token', async () => {
    for (const body of [{}, { page }, { incident: { name: 7 } }, []]) expect((await instatus(body)).status).toBe(204)
    expect(await messages()).toStrictEqual([])
    expectRefusal(await instatus({ page }, { ...hook, token: 'x' }), 404, 'UNKNOWN_WEBHOOK')
  })
})
