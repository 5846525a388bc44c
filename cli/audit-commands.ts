import type { Command } from 'commander'
import type { AuditOptions } from './commands/audit.ts'
import type { Print } from './operator/act-on.ts'

/** Adds the commands on the audit logs. */
export function addAuditCommands(program: Command, print: Print): void {
  const audit = program
    .command('audit')
    .summary('print the admin audit log or the audit log of a guild, or check the admin audit log')
    .description('the audit logs')
  searching(
    audit
      .command('list')
      .summary('print the newest entries of the admin audit log, by actor, target, action and time')
      .description(
        'Print the newest entries of the admin audit log that match everything which is asked, oldest first, without personal data.',
      ),
    {
      actor: 'the id of an administrator; 0 for operators at this command line',
      target: 'its kind, as in user, its id, or both, as in user:123',
      action: 'as in set_acls',
    },
  ).action(async (options: AuditOptions) => (await import('./commands/audit.ts')).adminAudit(options, print))
  searching(
    audit
      .command('guild')
      .summary("print the newest entries of a guild's audit log, by actor, target, action and time")
      .description(
        "Print the newest entries of a guild's audit log that match everything which is asked, oldest first, as old as they are kept, without personal data. A deleted guild has none.",
      )
      .argument('<guild>', 'its id'),
    {
      actor: 'the id of an account',
      target: 'the id of what was changed, or the code of an invite',
      action: 'as in MEMBER_BAN_ADD',
    },
  ).action(async (guild: string, options: AuditOptions) =>
    (await import('./commands/audit.ts')).guildAudit(guild, options, print),
  )
  audit
    .command('verify')
    .summary('check every entry against the hash chain, and print the first that is missing, added or changed')
    .description(
      'Check every entry of the admin audit log against its hash chain, and print the first that is missing, added or changed; then the exit status is 1. Note the hash that it prints, and give it with --holds the next time: nothing else shows that entries were cut off the end.',
    )
    .option('--holds <hash>', 'a hash that an earlier run printed: an entry must have it')
    .action(async ({ holds }: { readonly holds?: string }) => {
      const { auditVerify } = await import('./commands/audit-verify.ts')
      if (!(await auditVerify(holds, print))) process.exitCode = 1
    })
}

/** The options by which both logs are searched; the notes say what they take of each. */
function searching(
  command: Command,
  notes: { readonly actor: string; readonly target: string; readonly action: string },
): Command {
  return command
    .option('--actor <account>', notes.actor)
    .option('--target <target>', notes.target)
    .option('--action <action>', notes.action)
    .option('--since <instant>', 'from then on, as in 2030-01-31T12:00:00Z')
    .option('--until <instant>', 'before then')
    .option('--before <entry>', 'only entries before this one: the oldest of an earlier page')
    .option('--last <n>', 'how many of the newest, 1-200', '20')
    .option('--json', 'as JSON lines, each as the Admin API has an entry')
}
