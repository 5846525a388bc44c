import { auditChainHash } from '../../adapters/personal-data/audit-chain-hash.ts'
import { verifyChain, type ChainFault, type ChainReport } from '../../application/administration/audit/verify-chain.ts'
import { timestamp } from '../../domain/kernel/timestamp.ts'
import { besideServer } from './beside.ts'

/**
 * Checks the admin audit log against its hash chain, also beside a running server, and prints the result. True if the log is
 * complete and unchanged. `holds` is a hash that an earlier run printed.
 */
export async function auditVerify(holds: string | undefined, print: (line: string) => void): Promise<boolean> {
  const report = await besideServer(({ events: store, personalDataKey }) =>
    verifyChain({
      store,
      hashOf: auditChainHash(personalDataKey),
      now: timestamp(Date.now()),
      ...(holds === undefined ? {} : { wanted: holds }),
    }),
  )
  const { fault, holdsWanted } = report
  if (fault) print(inWords(fault))
  if (!holdsWanted) print(`No entry has the hash ${holds}: entries are missing from the end on.`)
  if (fault || !holdsWanted) return false
  print(allIsWell(report))
  return true
}

function inWords({ at, position, what }: ChainFault): string {
  const where = `at position ${position}`
  switch (what) {
    case 'changed':
      return `Entry ${at}, ${where}, was changed or added: it is not what its hash was taken of.`
    case 'out of place':
      return `Entry ${at}, ${where}, does not follow on the one before it: entries between them are missing, or it was put there.`
    case 'unreadable':
      return `Event ${at}, ${where}, can't be read.`
    case 'missing':
      return `Entry ${at} is missing: an administrator's act ${where} names it.`
  }
}

function allIsWell({ entries_count: count, newestHash }: ChainReport): string {
  if (newestHash === null) return 'The admin audit log has no entries.'
  return `All ${count} entries of the admin audit log are as they were recorded. The newest has the hash ${newestHash}`
}
