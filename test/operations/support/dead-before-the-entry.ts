import type { TestGuildhall } from '../../support/test-guildhall.ts'

/** Runs a test in which nothing can be appended to audit logs, as if the process were dead. */
export async function deadBeforeTheEntry({ ports }: TestGuildhall, test: () => Promise<void>): Promise<void> {
  const { guildAudit } = ports.aggregates
  const { execute } = guildAudit
  guildAudit.execute = () => Promise.reject(new Error('it died'))
  try {
    await test()
  } finally {
    guildAudit.execute = execute
  }
}
