import type { Command } from 'commander'
import type { PurchasesOptions } from './commands/purchases.ts'
import type { ReconcileOptions } from './commands/stores.ts'
import type { ActOptions, Print } from './operator/act-on.ts'
import { dryRun, reason } from './user-commands.ts'

/** Adds the commands on premium and on what was bought in the stores. */
export function addStoreCommands(program: Command, print: Print): void {
  program
    .command('premium')
    .description('premium of accounts')
    .command('set')
    .summary('give an account lifetime premium, or take its premium away')
    .description(
      'Give an account lifetime premium, or take all its premium away, gift time too. A subscription that still pays counts again with its next reading. The admin audit log says so.',
    )
    .argument('<account>', 'its id, its tag as in Ada#0001, its username if nobody else has it, or its e-mail address')
    .argument('<premium>', 'lifetime or none')
    .option(...reason)
    .option(...dryRun)
    .action(async (who: string, wish: string, options: ActOptions) =>
      (await import('./commands/premium.ts')).premiumSet(who, wish, options, print),
    )

  const store = program.command('store').description('what was bought in the mobile stores')
  store
    .command('show')
    .summary('print the ledger of a purchase: what the store said, who was given which seconds')
    .description(
      'Print the ledger of a purchase, or of every purchase that an account was ever linked to, event by event: what the store said, and who was given or lost which seconds of premium. Secrets are shown by fingerprints alone.',
    )
    .argument(
      '<account or purchase>',
      "an account: its id, its tag as in Ada#0001, its username if nobody else has it, or its e-mail address; or a purchase's id",
    )
    .action(async (who: string) => (await import('./commands/stores.ts')).storeShow(who, print))
  store
    .command('purchases')
    .summary('print what was bought, with what was seen last first')
    .option('--account <id>', 'only what this account has')
    .option('--store <store>', 'only of store_a or store_b')
    .option('--state <state>', 'only in this state, such as active or refunded')
    .option('--since <instant>', 'only what was seen first from this time on, as in 2030-01-31T12:00Z')
    .option('--until <instant>', 'only what was seen first before it')
    .option('--limit <n>', 'how many, 1-200', '50')
    .option('--after <cursor>', 'what comes after an earlier page, by what it ended with')
    .option('--json', 'as the Admin API answers it')
    .action(async (options: PurchasesOptions) => (await import('./commands/purchases.ts')).purchases(options, print))
  store
    .command('replay')
    .summary('read the purchase again that a notification told of')
    .description(
      'Have the worker read the purchase again that a notification told of, one that still waits for its next try or one that was applied. The admin audit log says so.',
    )
    .argument('<notification>', "the store's own id of it: notificationUUID of store A, messageId of store B")
    .action(async (id: string) => (await import('./commands/stores.ts')).storeReplay(id, print))
  store
    .command('reconcile')
    .summary('compare all purchases with the stores, and bring up to date those that differ')
    .description(
      'Compare every purchase with what its store says now, print what would change, and have the worker read those again that differ. The admin audit log says so.',
    )
    .option('--dry-run', 'only print: write nothing, and tell the stores nothing')
    .action(async (options: ReconcileOptions) => (await import('./commands/stores.ts')).storeReconcile(options, print))
}
