import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { describe, expect, it } from 'vitest'
import { smtpServerTest } from '../../../adapters/mail/test-mail-server.js'
import { startMailServer } from '../../support/mail-server.js'

const testServer = smtpServerTest()
const anyCertificate = smtpServerTest({ trustsAnyCertificate: true })
const account = { host: '127.0.0.1', username: 'ada', password: 'CANARY' }

describe('the test of a mail server', () => {
  it('says what is wrong where nobody listens', async () => {
    const listener = createServer().listen(0, '127.0.0.1')
    await once(listener, 'listening')
    const { port } = listener.address() as AddressInfo
    listener.close()
    await once(listener, 'close')
    expect(await testServer({ ...account, port, secure: true })).toContain('ECONNREFUSED')
  })

  it('sends no password where the connection is not encrypted', async () => {
    const server = await startMailServer()
    const { port } = new URL(server.url)
    expect(await testServer({ ...account, port: Number(port), secure: false })).toMatch(/TLS/i)
    await server.close()
  })

  it('signs in over TLS', async () => {
    const server = await startSecureServer('CANARY')
    expect(await anyCertificate({ ...account, port: server.port, secure: true })).toBeUndefined()
    await server.close()
  })

  it('believes no certificate that nobody has signed', async () => {
    const server = await startSecureServer('CANARY')
    expect(await testServer({ ...account, port: server.port, secure: true })).toContain('certificate')
    expect(server.passwords).toEqual([])
    await server.close()
  })

  it('does not repeat the password, whatever the server says', async () => {
    const server = await startSecureServer('another')
    const error = await anyCertificate({ ...account, port: server.port, secure: true })
    expect(server.passwords).toEqual(['CANARY'])
    expect(error).toContain('wrong: ***')
    expect(error).not.toContain('CANARY')
    await server.close()
  })
})

/** A mail server that accepts only TLS and one password, and echoes every other one. */
async function startSecureServer(password: string) {
  const passwords: (string | null)[] = []
  const server = new SMTPServer({
    secure: true,
    authMethods: ['PLAIN'],
    onAuth: (given, _session, answer) => {
      passwords.push(given.password ?? null)
      if (given.password === password) return answer(null, { user: given.username })
      answer(new Error(`wrong: ${given.password}`))
    },
  })
  server.on('error', () => undefined)
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  const { port } = server.server.address() as AddressInfo
  return { port, passwords, close: () => new Promise<void>((resolve) => server.close(() => resolve())) }
}
