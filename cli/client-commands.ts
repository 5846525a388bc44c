import type { Command } from 'commander'
import type { WatchAccountOptions } from './commands/watch-account.ts'
import type { WatchOptions } from './commands/watch.ts'

type Print = (line: string) => void

/** Adds the commands that know a running server as any client does; `watch` also as an operator. */
export function addClientCommands(program: Command, print: Print, say: Print): void {
  program
    .command('demo')
    .summary('play the story of one guild against a running server, and print what happens')
    .description(
      'Play a story against a running server, over real HTTP and a real websocket: two people register, one founds a guild and invites the other, who joins and leaves. It prints each request, event, dispatch and audit entry as it happens.',
    )
    .option('--url <url>', 'where the server is; by default where the settings say')
    .action(async (options: { readonly url?: string }) => (await import('./commands/demo.ts')).demo(options.url, print))

  program
    .command('watch')
    .summary('print the dispatches of an account as the Gateway sends them')
    .description(
      'Print what the Gateway tells an account or a bot, a line for each dispatch as it comes, until the command is interrupted. It takes the token from the environment variable GUILDHALL_TOKEN or from a file, never from the command line; it resumes by itself where a connection breaks, and says so. An operator can name the account instead: then the command is a Gateway of its own beside the servers, which leaves an entry in the admin audit log, changes nothing for the account, and tells neither presences nor who is typing. The account is not shown as online in either case.',
    )
    .option('--account <who>', 'an account or a bot: its id, its tag, its username or its e-mail address')
    .option('--reason <text>', 'with --account: for the audit log, 1-512 characters')
    .option('--url <url>', 'where the server is; by default where the settings say')
    .option('--token-file <file>', 'a file with the token; - for standard input')
    .option('--json', 'as JSON lines, with the members t, s and d')
    .action((options: WatchOptions & NamedAccount) => watched(options, print, say))
}

interface NamedAccount extends Pick<WatchAccountOptions, 'reason'> {
  readonly account?: string
}

async function watched(
  { account, reason, ...options }: WatchOptions & NamedAccount,
  print: Print,
  say: Print,
): Promise<void> {
  if (account === undefined) {
    if (reason !== undefined) throw new Error('--reason goes with --account')
    return (await import('./commands/watch.ts')).watch(options, print, say)
  }
  const { url, tokenFile, ...shown } = options
  if (url !== undefined || tokenFile !== undefined) throw new Error('--account needs neither --url nor --token-file')
  const named = { ...shown, ...(reason !== undefined && { reason }) }
  return (await import('./commands/watch-account.ts')).watchAccount(account, named, print, say)
}
