import { describe, expect, it } from 'vitest'
import { covers, joined, parseScopes, scopeText } from '../../../domain/oauth2-authorization/scopes.ts'

describe('a scope string', () => {
  it.each([
    ['identify', ['identify']],
    ['email identify', ['identify', 'email']],
    ['  bot+guilds \t identify\n', ['identify', 'guilds', 'bot']],
    ['identify identify+identify', ['identify']],
  ])('splits on runs of whitespace and +, drops empty parts and doubles: %j', (text, expected) => {
    expect(parseScopes(text)).toStrictEqual(expected)
  })

  it.each([[''], [' + '], ['admin'], ['identify admin'], ['Identify'], ['applications.commands'], ['identify,email']])(
    'names none that there is not: %j',
    (text) => {
      expect(parseScopes(text)).toBeUndefined()
    },
  )

  it('is written in the order of the registry', () => {
    expect(scopeText(['bot', 'email', 'identify'])).toBe('identify email bot')
    expect(joined(['bot'], ['identify', 'bot'])).toStrictEqual(['identify', 'bot'])
    expect(covers(['identify', 'email'], ['email'])).toBe(true)
    expect(covers(['identify'], ['email', 'identify'])).toBe(false)
  })
})
