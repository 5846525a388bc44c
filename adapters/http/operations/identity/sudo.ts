import { listSudoMethods } from '../../../../application/identity/sudo/sudo-methods.ts'
import { accounts } from '../../callers.ts'
import { perUser } from '../../bucket.ts'
import { operation, type Operation } from '../../operation.ts'
import { sudoMethods } from '../../schemas/identity/mfa.ts'

const listSudoMethodsOperation = operation({
  name: 'List sudo MFA methods',
  description: "The caller's means of proof.",
  route: 'GET /v1/users/@me/sudo/mfa-methods',
  callers: accounts({ console: true }),
  bucket: perUser('sudo:mfa:methods', { requests: 20, seconds: 60 }),
  replies: { 200: sudoMethods },
  useCase: listSudoMethods,
  handle: ({ caller }, run) => run(caller),
})

/** The ways in which an account can enter sudo mode. */
export const sudoOperations: readonly Operation[] = [listSudoMethodsOperation]
