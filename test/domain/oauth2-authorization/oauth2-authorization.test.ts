import { describe, expect, it } from 'vitest'
import { fold } from '../../../domain/kernel/decider.ts'
import { secondsAfter, type Timestamp } from '../../../domain/kernel/timestamp.ts'
import type { OAuth2AuthorizationEvent } from '../../../domain/oauth2-authorization/events.ts'
import { oauth2Authorization } from '../../../domain/oauth2-authorization/oauth2-authorization.ts'
import { liveTokens_max, repeatedUse_s, usedTokens_max } from '../../../domain/oauth2-authorization/state.ts'
import { given } from '../../../domain/testing/given-when-then.ts'
import { histories } from '../../../domain/testing/histories.ts'
import { property } from '../../support/property.ts'
import { start } from '../../../domain/testing/people.ts'
import {
  authorize,
  basis,
  consented,
  ended,
  issue,
  issued,
  later,
  pair,
  parties,
  refresh,
  refreshed,
  revoke,
  revoked,
  useAgain,
} from './authorization-story.ts'
import { oauth2AuthorizationCommands } from '../../../domain/testing/commands/oauth2-authorization-commands.ts'
import { laws } from '../../support/laws.ts'

laws('oauth2Authorization', oauth2AuthorizationCommands)

describe('authorising an application', () => {
  it('records what it may do', () => {
    given(oauth2Authorization, [])
      .when(authorize(['email', 'identify']))
      .then(consented(['identify', 'email']))
  })

  it('adds to what it may do already', () => {
    given(oauth2Authorization, basis)
      .when(authorize(['guilds'], later(5)))
      .then(consented(['identify', 'email', 'guilds'], later(5)))
  })

  it('begins anew once it was revoked', () => {
    given(oauth2Authorization, [...basis, issued(1), revoked])
      .when(authorize(['guilds']))
      .then(consented(['guilds']))
  })
})

describe('issuing tokens', () => {
  it('needs an authorisation that has the scopes', () => {
    given(oauth2Authorization, basis).when(issue(1)).then(issued(1))
    for (const history of [[], [consented(['email'])], [...basis, revoked]])
      given(oauth2Authorization, history).when(issue(1)).refuses('UNKNOWN_APPLICATION')
  })

  it('leaves earlier tokens alive, and names those that have expired', () => {
    given(oauth2Authorization, [...basis, issued(1)])
      .when(issue(2, later(99)))
      .then(issued(2, [], later(99)))
    given(oauth2Authorization, [...basis, issued(1)])
      .when(issue(2, later(100)))
      .then(issued(2, ['access-1'], later(100)))
    given(oauth2Authorization, [...basis, issued(1)])
      .when(issue(2, later(1000)))
      .then(issued(2, ['access-1', 'refresh-1'], later(1000)))
  })

  it('ends the oldest where there would be too many', () => {
    const full = [...basis, ...Array.from({ length: liveTokens_max }, (_, index) => issued(index))]
    given(oauth2Authorization, full)
      .when(issue(99))
      .then(issued(99, ['access-0', 'refresh-0']))
  })
})

describe('refreshing', () => {
  it('exchanges a refresh token once, for what it was good for', () => {
    given(oauth2Authorization, [...basis, issued(1)])
      .when(refresh(1, 2))
      .then(refreshed(1, 2))
    given(oauth2Authorization, [...basis, issued(1), refreshed(1, 2)])
      .when(refresh(1, 3))
      .refuses('INVALID_TOKEN')
    given(oauth2Authorization, [...basis, issued(1), refreshed(1, 2)])
      .when(refresh(2, 3))
      .then(refreshed(2, 3))
  })

  it('needs one that has not expired', () => {
    given(oauth2Authorization, [...basis, issued(1)])
      .when(refresh(1, 2, later(999)))
      .then(refreshed(1, 2, ['access-1'], later(999)))
    given(oauth2Authorization, [...basis, issued(1)])
      .when(refresh(1, 2, later(1000)))
      .refuses('INVALID_TOKEN')
  })

  it('takes no access token, and none that was revoked', () => {
    const asAccess = { ...refresh(1, 2), presented: { hash: 'access-1', addressHash: 'here' } }
    given(oauth2Authorization, [...basis, issued(1)])
      .when(asAccess)
      .refuses('INVALID_TOKEN')
    for (const history of [[], basis, [...basis, issued(1), revoked]])
      given(oauth2Authorization, history).when(refresh(1, 2)).refuses('INVALID_TOKEN')
  })
})

describe('a refresh token that is used again', () => {
  const used = [...basis, issued(1), refreshed(1, 2, [], later(10))]
  const living = ['access-1', 'access-2', 'refresh-2']

  it('ends nothing within 30 s at the same address, even if the clock of another process is behind', () => {
    for (const seconds of [9, 10, 39])
      given(oauth2Authorization, used)
        .when(useAgain(1, later(seconds)))
        .changesNothing()
  })

  it('ends its family once 30 s are over', () => {
    given(oauth2Authorization, used)
      .when(useAgain(1, later(40)))
      .then(ended(later(40), ...living))
  })

  it('ends its family at another address', () => {
    given(oauth2Authorization, used)
      .when(useAgain(1, later(10), 'there'))
      .then(ended(later(10), ...living))
  })

  it('counts from its own first use, however often its successors were used since', () => {
    const longer = [...used, refreshed(2, 3, [], later(20)), refreshed(3, 4, [], later(45))]
    given(oauth2Authorization, longer)
      .when(useAgain(1, later(39)))
      .then(ended(later(39), 'access-1', 'access-2', 'access-3', 'access-4', 'refresh-4'))
    const recent = [...used, refreshed(2, 3, [], later(20))]
    given(oauth2Authorization, recent)
      .when(useAgain(1, later(39)))
      .changesNothing()
    given(oauth2Authorization, recent)
      .when(useAgain(1, later(40)))
      .then(ended(later(40), 'access-1', 'access-2', 'access-3', 'refresh-3'))
  })

  it('ends its family if nobody knows from where it was used first', () => {
    const before: OAuth2AuthorizationEvent = {
      type: 'OAuth2TokensRefreshed',
      data: { ...parties, ...pair(2), endedTokenHashes: [], presentedTokenHash: 'refresh-1' },
    }
    given(oauth2Authorization, [...basis, issued(1), before])
      .when(useAgain(1, start))
      .then(ended(start, ...living))
  })
})

describe('an authorisation whose account has ended its delegations', () => {
  const before = [...basis, issued(1)]
  const under = { delegationVersion: 1 }
  const anew: OAuth2AuthorizationEvent = {
    type: 'ApplicationAuthorized',
    data: { ...parties, scopes: ['guilds'], authorizedAt: later(5), ...under },
  }

  it('gives no tokens any more', () => {
    given(oauth2Authorization, before)
      .when({ ...issue(2), ...under })
      .refuses('UNKNOWN_APPLICATION')
    given(oauth2Authorization, before)
      .when({ ...refresh(1, 2), ...under })
      .refuses('INVALID_TOKEN')
  })

  it('begins anew by a consent, without its earlier scopes and tokens', () => {
    given(oauth2Authorization, before)
      .when({ ...authorize(['guilds'], later(5)), ...under })
      .then(anew)
    expect(fold(oauth2Authorization, [...before, anew])).toMatchObject({
      scopes: ['guilds'],
      accessTokens: [],
      refreshTokens: [],
    })
    given(oauth2Authorization, [...before, anew])
      .when({ ...issue(2, later(5), ['guilds']), ...under })
      .then({
        type: 'OAuth2TokensIssued',
        data: { ...parties, ...pair(2, later(5), ['guilds']), endedTokenHashes: [], ...under },
      })
  })

  it('takes nothing from a request that began before', () => {
    given(oauth2Authorization, [...before, anew])
      .when(issue(2))
      .refuses('UNKNOWN_APPLICATION')
    given(oauth2Authorization, [...before, anew])
      .when(refresh(1, 2))
      .refuses('INVALID_TOKEN')
    given(oauth2Authorization, [...before, anew])
      .when(authorize(['guilds'], later(9)))
      .refuses('UNAUTHORIZED')
  })
})

describe('revoking', () => {
  it('ends everything', () => {
    given(oauth2Authorization, [...basis, issued(1)])
      .when(revoke)
      .then(revoked)
    expect(fold(oauth2Authorization, [...basis, issued(1), revoked])).toStrictEqual({ status: 'revoked' })
  })

  it('of nothing changes nothing', () => {
    for (const history of [[], [...basis, revoked]]) given(oauth2Authorization, history).when(revoke).changesNothing()
  })
})

describe('the tokens of an authorisation', () => {
  const lives = histories(oauth2Authorization, oauth2AuthorizationCommands)

  property(
    'are never more than may live, and a refresh token is presented no more often than it was issued',
    lives,
    (life) => {
      const issuances = new Map<string, number>()
      for (const { type, data } of life.events) {
        if (type === 'OAuth2TokensRefreshed') {
          const left = (issuances.get(data.presentedTokenHash) ?? 0) - 1
          expect(left).toBeGreaterThanOrEqual(0)
          issuances.set(data.presentedTokenHash, left)
        }
        if (type === 'OAuth2TokensIssued' || type === 'OAuth2TokensRefreshed')
          issuances.set(data.refreshTokenHash, (issuances.get(data.refreshTokenHash) ?? 0) + 1)
      }
      const { state } = life
      if (state.status !== 'granted') return
      expect(state.usedTokens.length).toBeLessThanOrEqual(usedTokens_max)
      expect(state.accessTokens.length).toBeLessThanOrEqual(liveTokens_max)
      expect(state.refreshTokens.length).toBeLessThanOrEqual(liveTokens_max)
    },
  )

  property('end by a repeated refresh token only where its use is 30 s old or came from elsewhere', lives, (life) => {
    const uses = new Map<string, { readonly from: string | undefined; readonly at: Timestamp }>()
    for (const { command, events } of life.steps) {
      if (command.type === 'EndTokenFamily' && command.presented !== null) {
        const use = uses.get(command.presented.hash)
        const isRepeated =
          use?.from === command.presented.addressHash && command.now < secondsAfter(use.at, repeatedUse_s)
        if (isRepeated) expect(events).toStrictEqual([])
      }
      for (const { type, data } of events)
        if (type === 'OAuth2TokensRefreshed')
          uses.set(data.presentedTokenHash, { from: data.addressHash, at: data.issuedAt })
    }
  })
})
