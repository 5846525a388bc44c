#!/usr/bin/env node
import { Command } from 'commander'
import { adminGrant } from './commands/admin-grant.js'
import { demo } from './commands/demo.js'
import { history } from './commands/history.js'
import { projections } from './commands/projections.js'
import { start } from './commands/start.js'
import { loadEnvFile } from './load-env-file.js'
import { productVersion } from './product-version.js'

const print = (line: string): void => {
  console.log(line)
}

const program = new Command('guildhall')
  .description('The server of a chat community platform, and what its operator needs.')
  .version(productVersion)
  .showHelpAfterError()

program.command('start').description('serve the API and the Gateway until SIGINT or SIGTERM').action(start)

program
  .command('demo')
  .description('play the story of one guild against a running server, and print what happens')
  .option('--url <url>', 'where the server is; by default where the settings say')
  .action((options: { readonly url?: string }) => demo(options.url, print))

program
  .command('history')
  .description("print a stream's events")
  .argument('<stream>', 'as in guild-123, invite-AbCd1234, membership-123-456, account-456')
  .action((stream: string) => history(stream, print))

program
  .command('projections')
  .description("print each read model's position and lag")
  .action(() => projections(print))

program
  .command('admin')
  .description('administer the instance')
  .command('grant')
  .description('give an account Admin ACLs')
  .argument('<who>', 'an account: its id, its tag as in Ada#0001, or its e-mail address')
  .argument('<acls...>', "the ACLs to add; '*' for all")
  .action((who: string, acls: readonly string[]) => adminGrant(who, acls, print))

try {
  loadEnvFile()
  await program.parseAsync()
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error))
  process.exitCode = 1
}
