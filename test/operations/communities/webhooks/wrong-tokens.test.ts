import { expect, it } from 'vitest'
import { bodyOf, expectFields, expectRefusal, found } from '../../support/answers.ts'
import { field } from '../../../../domain/kernel/refusal.ts'
import { openServer } from '../../support/scene.ts'

const guildhall = await openServer()
const ada = await guildhall.register()
const { channel } = await found(guildhall, ada)
const made = { token: ada.token, body: { name: 'Build' } }
const hook = bodyOf(await guildhall.request('POST', `/v1/channels/${channel}/webhooks`, made))
const pathOf = (token: unknown) => `/v1/webhooks/${String(hook['id'])}/${String(token)}`

it.each([
  ['PATCH', '', { name: '' }],
  ['POST', '', { content: 7 }],
  ['POST', '?thread_id=x', { content: 'x' }],
  ['PATCH', '/messages/1', { content: 7 }],
  ['PATCH', '/messages/x', { content: 'x' }],
  ['POST', '/slack', { text: 7 }],
])('a wrong token is refused before what is wrong with %s %s %j', async (method, end, body) => {
  expectRefusal(await guildhall.request(method, `${pathOf('x')}${end}`, { body }), 404, 'UNKNOWN_WEBHOOK')
  expect((await guildhall.request(method, `${pathOf(hook['token'])}${end}`, { body })).status).toBe(400)
})

it.each([
  ['PATCH', ''],
  ['POST', ''],
  ['POST', '/slack'],
  ['POST', '/github'],
  ['PATCH', '/messages/1'],
])('a wrong token is refused before a body that is no JSON or too long, with %s %s', async (method, end) => {
  for (const body of ['{', JSON.stringify({ content: 'x'.repeat(2_000_000) })]) {
    const request = { method, body }
    expect((await fetch(`${guildhall.url}${pathOf('x')}${end}`, request)).status).toBe(404)
  }
})

it('with the right token, what is wrong is told', async () => {
  const answer = await guildhall.request('PATCH', pathOf(hook['token']), { body: { name: '' } })
  expectFields(answer, field('name', 'STRING_LENGTH_INVALID'))
})
