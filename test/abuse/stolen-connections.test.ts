import { afterAll, describe, expect, it } from 'vitest'
import { Client } from '../gateway/support/client.ts'
import { identifyOf } from '../gateway/support/facts.ts'
import { bodyOf } from '../operations/support/answers.ts'
import { codeIn } from '../operations/support/emailed-codes.ts'
import { openServer } from '../operations/support/scene.ts'
import { expectEnded } from '../gateway/support/ended.ts'

const home = '203.0.113.7'
const elsewhere = '198.51.100.9'
const clients: Client[] = []

/** The address that a proxy names for them. */
const from = (address: string) => ({ 'x-forwarded-for': address })

const guildhall = await openServer('proxied')
afterAll(() => {
  for (const { socket } of clients) socket.terminate()
})

async function connect(account: { readonly token: string }, address: string): Promise<Client> {
  const client = new Client(`${guildhall.url.replace('http', 'ws')}/gateway?v=1`, from(address))
  clients.push(client)
  await client.op(10)
  client.send(2, identifyOf(account))
  await client.dispatch('READY')
  return client
}

describe('A connection of a stolen token', () => {
  it('loses its session when the owner changes the password, and never learns the new token', async () => {
    const ada = await guildhall.register()
    const [own, sameNetwork, thief] = [
      await connect(ada, home),
      await connect(ada, `::ffff:${home}`),
      await connect(ada, elsewhere),
    ]
    const body = { new_password: 'a new and better one', password: ada.password }
    const changed = await guildhall.request('PATCH', '/v1/users/@me', { token: ada.token, body, headers: from(home) })
    expect(changed.status).toBe(200)
    await expectEnded(thief)
    const [mine, other] = [await own.dispatch('AUTH_SESSION_CHANGE'), await sameNetwork.dispatch('AUTH_SESSION_CHANGE')]
    const token = String(mine.d['new_token'])
    expect(other.d['new_token']).toBe(token)
    expect(JSON.stringify(thief.payloads)).not.toContain(token)
    expect(bodyOf(await guildhall.request('GET', '/v1/users/@me', { token }))['id']).toBe(ada.id)
  })

  it('also loses it if the thief changes nothing and the owner changes the password by a mailed code from elsewhere', async () => {
    const ada = await guildhall.register()
    const thief = await connect(ada, elsewhere)
    const ask = async (path: string, body?: object) =>
      bodyOf(
        await guildhall.request('POST', `/v1/users/@me/password-change/${path}`, {
          token: ada.token,
          headers: from(home),
          ...(body ? { body } : {}),
        }),
      )
    const { ticket } = await ask('start')
    const code = codeIn(await guildhall.mailTo(ada.email))
    const { verification_proof } = await ask('verify', { ticket, code })
    await ask('complete', { ticket, verification_proof, new_password: 'a new and better one' })
    await expectEnded(thief)
    expect(thief.dispatches.map(({ t }) => t)).not.toContain('AUTH_SESSION_CHANGE')
  })
})
