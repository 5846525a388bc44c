import type { Command } from 'commander'
import type { FeatureOptions } from './commands/guild.ts'
import type { Print } from './operator/act-on.ts'

/** Adds the commands on guilds and on the guild directory. */
export function addGuildCommands(program: Command, print: Print): void {
  const guildCommand = program
    .command('guild')
    .description('what only operators and administrators can change of a guild')
  guildCommand
    .command('features')
    .summary('print the features of a guild, or change them')
    .description(
      'Print the features of a guild. With --add or --remove, change them first, also those that its members cannot toggle. Works beside a running server.',
    )
    .argument('<guild>', 'its id')
    .option('--add <features...>', 'as in VERIFIED VANITY_URL')
    .option('--remove <features...>', 'the features to take away')
    .option(
      '--by <who>',
      'an administrator, by id, tag or e-mail address: who decides the application to the directory, for DISCOVERABLE',
    )
    .action(async (id: string, options: FeatureOptions) =>
      (await import('./commands/guild.ts')).guildFeaturesCommand(id, options, print),
    )
  guildCommand
    .command('disable')
    .summary('set which operations are disabled in a guild')
    .description(
      'Set which operations are disabled in a guild: those that are named, and no others. Works beside a running server.',
    )
    .argument('<guild>', 'its id')
    .argument('<operations...>', 'as in SEND_MESSAGE TYPING_EVENTS; none enables all')
    .action(async (id: string, names: readonly string[]) =>
      (await import('./commands/guild.ts')).disableOperations(id, names, print),
    )

  const discovery = program.command('discovery').description('the review of the guild directory')
  discovery
    .command('queue')
    .description('print the applications that wait for a review, the longest waiting first')
    .action(async () => (await import('./commands/discovery.ts')).discoveryQueue(print))
  discovery
    .command('show')
    .description("print what was decided about a guild's listing, what is there now, and what changed since")
    .argument('<guild>', 'its id')
    .action(async (id: string) => (await import('./commands/discovery.ts')).discoveryShow(id, print))
  discovery
    .command('sweep')
    .description("print the listings that today's blocklists, minimum of members or nsfw mark would not let in")
    .option('--dry-run', 'change nothing; required')
    .action(async (options: { readonly dryRun?: boolean }) =>
      (await import('./commands/discovery.ts')).discoverySweep(options, print),
    )
  discovery
    .command('restore')
    .description('undo the removal of a listing')
    .argument('<guild>', 'its id')
    .action(async (id: string) => (await import('./commands/discovery.ts')).discoveryRestore(id, print))
}
