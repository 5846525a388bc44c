import { accountId } from '../../../domain/ids/ids.ts'
import { snowflake } from '../../../domain/ids/snowflake.ts'
import { secondsAfter } from '../../../domain/kernel/timestamp.ts'
import { testContext } from '../../support/test-context.ts'
import type { TestGuildhall } from '../../support/test-guildhall.ts'

const hour_s = 3600

/** Gives an account a ban of an hour that began two hours ago. */
export async function banOver(
  { ports, readModels }: Pick<TestGuildhall, 'ports' | 'readModels'>,
  { id }: { readonly id: string },
): Promise<void> {
  const context = testContext()
  const now = secondsAfter(context.now, -2 * hour_s)
  const command = { type: 'BanAccount', duration_hours: 1, now } as const
  await ports.aggregates.account.execute(accountId(snowflake(id)), command, context)
  await readModels.reached(context.written)
}
