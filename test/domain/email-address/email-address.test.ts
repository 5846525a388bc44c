import { describe, expect, it } from 'vitest'
import { emailAddress } from '../../../domain/email-address/email-address.js'
import type { EmailAddressEvent } from '../../../domain/email-address/events.js'
import { field } from '../../../domain/kernel/refusal.js'
import { given, histories, property } from '../../support/given-when-then.js'
import { emailAddressCommands } from '../arbitraries.js'
import { ada, grace } from '../people.js'
import { laws } from '../../support/laws.js'

laws('emailAddress', emailAddressCommands)

const addressHash = 'hash-of-address'
const claim = (accountId = ada) => ({ type: 'ClaimAddress', addressHash, accountId }) as const
const release = (accountId = ada) => ({ type: 'ReleaseAddress', accountId }) as const
const claimed = (accountId = ada): EmailAddressEvent => ({
  type: 'EmailAddressClaimed',
  data: { addressHash, accountId },
})
const released = (accountId = ada): EmailAddressEvent => ({
  type: 'EmailAddressReleased',
  data: { addressHash, accountId },
})

describe('claiming an e-mail address', () => {
  it('takes one that nobody holds', () => {
    given(emailAddress, []).when(claim()).then(claimed())
    given(emailAddress, [claimed(), released()]).when(claim(grace)).then(claimed(grace))
  })

  it('says which one it takes the place of', () => {
    given(emailAddress, [])
      .when({ ...claim(), replaces: 'another-hash' })
      .then({ type: 'EmailAddressClaimed', data: { addressHash, accountId: ada, replaces: 'another-hash' } })
  })

  it('is refused where another account holds it', () => {
    given(emailAddress, [claimed()])
      .when(claim(grace))
      .refuses('INVALID_FORM_BODY', field('email', 'EMAIL_ALREADY_IN_USE'))
  })

  it('changes nothing for the account that holds it', () => {
    given(emailAddress, [claimed()]).when(claim()).changesNothing()
  })
})

describe('releasing an e-mail address', () => {
  it('frees it', () => {
    given(emailAddress, [claimed()]).when(release()).then(released())
  })

  it('changes nothing for an account that does not hold it', () => {
    given(emailAddress, []).when(release()).changesNothing()
    given(emailAddress, [claimed()]).when(release(grace)).changesNothing()
    given(emailAddress, [claimed(), released()]).when(release()).changesNothing()
  })
})

describe('in whatever happens to an e-mail address', () => {
  property('two accounts never hold it at once', histories(emailAddress, emailAddressCommands), ({ events }) => {
    let holder: string | undefined
    for (const { type, data } of events) {
      expect(holder).toBe(type === 'EmailAddressClaimed' ? undefined : data.accountId)
      holder = type === 'EmailAddressClaimed' ? data.accountId : undefined
    }
  })
})
