import { forgetOwnAddresses } from '../../../../application/identity/ip-authorization/forget-own-addresses.ts'
import { accounts } from '../../callers.ts'
import { perUser } from '../../bucket.ts'
import { none, operation, type Operation } from '../../operation.ts'
import { alwaysSudo } from '../../sudo.ts'

const forgetOwnAddressesOperation = operation({
  name: 'Forget authorised IP addresses',
  description: "Removes all authorised networks of the caller's account: signing in from them takes a mail again.",
  route: 'DELETE /v1/users/@me/authorized-ips',
  callers: accounts(),
  bucket: perUser('user:authorized_ips:forget', { requests: 10, seconds: 60 }),
  sudo: alwaysSudo,
  replies: { 204: none },
  useCase: forgetOwnAddresses,
  handle: ({ caller }, run) => run(caller),
})

/** The addresses that an account has signed in from. */
export const authorizedAddressOperations: readonly Operation[] = [forgetOwnAddressesOperation]
