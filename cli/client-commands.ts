import type { Command } from 'commander'
import type { WatchOptions } from './commands/watch.ts'

type Print = (line: string) => void

/** Adds the commands that know a running server as any client does. */
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
      'Print what the Gateway tells an account or a bot, a line for each dispatch as it comes, until the command is interrupted. It takes the token from the environment variable GUILDHALL_TOKEN or from a file, never from the command line. It resumes by itself where a connection breaks, and says so; the account is not shown as online.',
    )
    .option('--url <url>', 'where the server is; by default where the settings say')
    .option('--token-file <file>', 'a file with the token; - for standard input')
    .option('--json', 'as JSON lines, with the members t, s and d')
    .action(async (options: WatchOptions) => (await import('./commands/watch.ts')).watch(options, print, say))
}
