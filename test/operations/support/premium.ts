import { setPremium } from '../../../application/identity/premium/set-premium.ts'
import { idOf } from '../administration/users/support.ts'
import { testContext } from '../../support/test-context.ts'
import type { TestAccount, TestGuildhall } from '../../support/test-guildhall.ts'

/** Gives an account premium for life, or takes it, as an operator does; resolves once reads show it. */
export async function premiumOf(
  { ports, readModels }: Pick<TestGuildhall, 'ports' | 'readModels'>,
  account: Pick<TestAccount, 'id'>,
  wish: 'lifetime' | 'none',
): Promise<void> {
  const context = testContext()
  await setPremium(ports)(idOf(account), wish, context)
  await readModels.reached(context.written)
}
