import { describe, expect, it } from 'vitest'
import type { SingleSignOnIdentityEvent } from '../../../domain/single-sign-on-identity/events.ts'
import { singleSignOnIdentity } from '../../../domain/single-sign-on-identity/single-sign-on-identity.ts'
import { given } from '../../../domain/testing/given-when-then.ts'
import { histories } from '../../../domain/testing/histories.ts'
import { property } from '../../support/property.ts'
import { singleSignOnIdentityCommands } from '../../../domain/testing/commands/arbitraries.ts'
import { ada, grace } from '../../../domain/testing/people.ts'
import { laws } from '../../support/laws.ts'

laws('singleSignOnIdentity', singleSignOnIdentityCommands)

const identityHash = 'hash-of-identity'
const claim = (accountId = ada) => ({ type: 'ClaimIdentity', identityHash, accountId }) as const
const release = (accountId = ada) => ({ type: 'ReleaseIdentity', accountId }) as const
const claimed = (accountId = ada): SingleSignOnIdentityEvent => ({
  type: 'SingleSignOnIdentityClaimed',
  data: { identityHash, accountId },
})
const released = (accountId = ada): SingleSignOnIdentityEvent => ({
  type: 'SingleSignOnIdentityReleased',
  data: { identityHash, accountId },
})

describe('claiming an identity at a provider', () => {
  it('takes one that nobody holds', () => {
    given(singleSignOnIdentity, []).when(claim()).then(claimed())
    given(singleSignOnIdentity, [claimed(), released()]).when(claim(grace)).then(claimed(grace))
  })

  it('is refused where another account holds it', () => {
    given(singleSignOnIdentity, [claimed()]).when(claim(grace)).refuses('CONFLICT')
  })

  it('changes nothing for the account that holds it', () => {
    given(singleSignOnIdentity, [claimed()]).when(claim()).changesNothing()
  })
})

describe('releasing an identity at a provider', () => {
  it('frees it', () => {
    given(singleSignOnIdentity, [claimed()]).when(release()).then(released())
  })

  it('changes nothing for an account that does not hold it', () => {
    given(singleSignOnIdentity, []).when(release()).changesNothing()
    given(singleSignOnIdentity, [claimed()]).when(release(grace)).changesNothing()
    given(singleSignOnIdentity, [claimed(), released()]).when(release()).changesNothing()
  })
})

describe('in whatever happens to an identity', () => {
  const lives = histories(singleSignOnIdentity, singleSignOnIdentityCommands)
  property('two accounts never hold it at once', lives, ({ events }) => {
    let holder: string | undefined
    for (const { type, data } of events) {
      expect(holder).toBe(type === 'SingleSignOnIdentityClaimed' ? undefined : data.accountId)
      holder = type === 'SingleSignOnIdentityClaimed' ? data.accountId : undefined
    }
  })
})
