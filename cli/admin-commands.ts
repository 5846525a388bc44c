import type { Command } from 'commander'
import type { Print } from './operator/act-on.ts'

const who = [
  '<who>',
  'an account: its id, its tag as in Ada#0001, its username if nobody else has it, or its e-mail address',
] as const

/** Adds the commands on the configuration of the instance and on its administrators. */
export function addAdminCommands(program: Command, print: Print): void {
  const instance = program
    .command('instance')
    .summary("print the instance's configuration")
    .description("Print the instance's configuration: registration, sign-in, single sign-on, legal documents.")
    .action(async () => (await import('./commands/instance.ts')).showInstance(print))
  instance
    .command('get')
    .summary('print the configuration with the meaning of each member')
    .description('Print the members that `instance set` changes, with what each means; or one of them, or one section.')
    .argument('[key]', 'as in registration.mode, or sso for all that begin so')
    .action(async (key: string | undefined) => (await import('./commands/instance.ts')).getInstance(key, print))
  instance
    .command('set')
    .summary('change the configuration')
    .description(
      'Change members of the configuration at once. Works beside a running server. `instance get` says what each means.',
    )
    .argument('<members...>', 'as in registration.mode=closed sso.enabled=true; values are JSON or text')
    .action(async (assignments: readonly string[]) =>
      (await import('./commands/instance.ts')).setInstance(assignments, print),
    )

  const admin = program.command('admin').description('who administers the instance')
  admin
    .command('list')
    .description('print the accounts that hold Admin ACLs')
    .action(async () => (await import('./commands/admin.ts')).adminList(print))
  admin
    .command('grant')
    .summary('give an account Admin ACLs')
    .description("Give an account Admin ACLs. Make the first administrator with: admin grant ada@example.com '*'")
    .argument(...who)
    .argument('<acls...>', "the ACLs to add; '*' for all")
    .action(async (named: string, acls: readonly string[]) =>
      (await import('./commands/admin.ts')).adminGrant(named, acls, print),
    )
  admin
    .command('revoke')
    .summary('take Admin ACLs from an account')
    .description(
      'Take Admin ACLs from an account. Its sessions and Admin keys lose them at once; a key can do nothing that its account cannot.',
    )
    .argument(...who)
    .argument('[acls...]', 'the ACLs to take away; all by default')
    .action(async (named: string, acls: readonly string[]) =>
      (await import('./commands/admin.ts')).adminRevoke(named, acls, print),
    )
}
