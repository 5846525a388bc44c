import { describe, expect, it } from 'vitest'
import { relyingParty } from '../../../../application/identity/passkeys/relying-party.ts'
import { plainInstance } from '../../support/plain-instance.ts'

const partyAt = (publicUrl: string, webappUrl = publicUrl, clientOrigins: readonly string[] = []) =>
  relyingParty({ ...plainInstance, publicUrl, webappUrl, clientOrigins })

describe('the relying party', () => {
  it('is the host of the public URL, for pages of its own origin', () => {
    expect(partyAt('http://chat.example.com:3000/below')).toStrictEqual({
      id: 'chat.example.com',
      name: 'guildhall',
      origins: ['http://chat.example.com:3000'],
    })
  })

  it('takes pages of the client that people are sent to', () => {
    const { origins } = partyAt('https://chat.example.com', 'https://app.chat.example.com/client')
    expect(origins).toStrictEqual(['https://chat.example.com', 'https://app.chat.example.com'])
    expect(partyAt('http://localhost:3000', 'http://localhost:5173').origins).toContain('http://localhost:5173')
  })

  it.each([
    'https://app.chat.example.com',
    'https://a.b.chat.example.com',
    'https://chat.example.com:8443',
    'https://app.chat.example.com:8443',
  ])('takes pages of a client at or below its host: %s', (client) => {
    expect(partyAt('https://chat.example.com', undefined, [client]).origins).toContain(client)
  })

  it.each([
    ['beside its host', 'https://app.example.com'],
    ['above its host', 'https://example.com'],
    ['of another label that ends alike', 'https://evilchat.example.com'],
    ['that only begins alike', 'https://chat.example.com.evil.net'],
    ['without TLS', 'http://app.chat.example.com'],
    ['of the same host without TLS', 'http://chat.example.com'],
    ['of a scheme of its own', 'capacitor://chat.example.com'],
  ])('takes no pages of a client %s: %s', (_, client) => {
    const { origins } = partyAt('https://chat.example.com', undefined, [client])
    expect(origins).toStrictEqual(['https://chat.example.com'])
  })

  it('takes no pages of the client that people are sent to, if it is elsewhere', () => {
    const { origins } = partyAt('https://chat.example.com', 'https://app.example.com')
    expect(origins).toStrictEqual(['https://chat.example.com'])
  })

  it('takes pages without TLS from this machine alone', () => {
    const local = ['http://localhost:5173', 'http://app.localhost:5173', 'capacitor://localhost']
    const origins = ['http://localhost:3000', 'http://localhost:5173', 'http://app.localhost:5173']
    expect(partyAt('http://localhost:3000', undefined, local).origins).toStrictEqual(origins)
  })
})
