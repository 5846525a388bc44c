import { reject } from '../../commands/refused.ts'
import type { InstancePolicy } from '../../../domain/instance/policy.ts'
import type { Ports } from '../../ports.ts'

export type SignInStyle = InstancePolicy['accountIdentity']['signIn']

/** What an operation for one style of sign-in refuses with on an instance with the other one. */
export const codesOfSignIn = { email: 'EMAIL_UNAVAILABLE_ON_INSTANCE', username: 'USERNAME_SIGN_IN_ONLY' } as const

/**
 * Limits a use case to instances with one style of sign-in. On the others it refuses with EMAIL_UNAVAILABLE_ON_INSTANCE or
 * USERNAME_SIGN_IN_ONLY before anything else.
 */
export function whereSignInIsBy(style: SignInStyle, { instancePolicies }: Pick<Ports, 'instancePolicies'>) {
  return <Arguments extends readonly unknown[], Result>(useCase: (...given: Arguments) => Promise<Result>) =>
    async (...given: Arguments): Promise<Result> => {
      const { accountIdentity } = await instancePolicies.current()
      return accountIdentity.signIn === style ? useCase(...given) : reject(codesOfSignIn[style])
    }
}
