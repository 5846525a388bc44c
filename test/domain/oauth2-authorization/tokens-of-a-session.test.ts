import { describe, expect, it } from 'vitest'
import { fold } from '../../../domain/kernel/decider.ts'
import type { OAuth2AuthorizationEvent } from '../../../domain/oauth2-authorization/events.ts'
import { oauth2Authorization } from '../../../domain/oauth2-authorization/oauth2-authorization.ts'
import { given } from '../../../domain/testing/given-when-then.ts'
import { basis, ended, issue, issued, later, pair, parties, refresh, refreshed } from './authorization-story.ts'

/** What the console's tokens have beside those of other applications. */

describe('a refresh token that is used again where repeats get tokens', () => {
  const used = [...basis, issued(1), refreshed(1, 2, [], later(10))]
  const repeat = (number: number, seconds: number) =>
    ({ ...refresh(1, number, later(seconds)), givesToRepeats: true }) as const

  it('gives tokens of its family within 30 s at the same address, and leaves those that the first use gave', () => {
    given(oauth2Authorization, used)
      .when(repeat(3, 39))
      .then(refreshed(1, 3, [], later(39)))
    const both = fold(oauth2Authorization, [...used, refreshed(1, 3, [], later(39))])
    expect(both).toMatchObject({ refreshTokens: [{ hash: 'refresh-2' }, { hash: 'refresh-3' }] })
  })

  it('gives nothing once 30 s are over since the first use, however often it came again', () => {
    given(oauth2Authorization, used).when(repeat(3, 40)).refuses('INVALID_TOKEN')
    given(oauth2Authorization, [...used, refreshed(1, 3, [], later(39))])
      .when(repeat(4, 40))
      .refuses('INVALID_TOKEN')
  })

  it('gives nothing at another address, nor once its family has ended', () => {
    const elsewhere = { ...repeat(3, 11), presented: { hash: 'refresh-1', addressHash: 'there' } } as const
    given(oauth2Authorization, used).when(elsewhere).refuses('INVALID_TOKEN')
    given(oauth2Authorization, [...used, ended(later(10), 'access-1', 'access-2', 'refresh-2')])
      .when(repeat(3, 11))
      .refuses('INVALID_TOKEN')
  })
})

describe('tokens that end with a session', () => {
  it('give others that end with the same one', () => {
    const ofSession: OAuth2AuthorizationEvent = {
      type: 'OAuth2TokensIssued',
      data: { ...parties, ...pair(1), sessionHash: 'phone', endedTokenHashes: [] },
    }
    given(oauth2Authorization, basis)
      .when({ ...issue(1), sessionHash: 'phone' })
      .then(ofSession)
    const next = refreshed(1, 2)
    if (next.type !== 'OAuth2TokensRefreshed') throw new Error('not a refresh')
    given(oauth2Authorization, [...basis, ofSession])
      .when(refresh(1, 2))
      .then({ ...next, data: { ...next.data, sessionHash: 'phone' } })
  })
})
