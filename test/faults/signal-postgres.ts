import { processesOn } from '../adapters/postgres/embedded/support.ts'

/** Sends a signal to every process of the Postgres that runs in a folder; returns their number. */
export function signalPostgres(folder: string, name: NodeJS.Signals): number {
  const servers = processesOn(folder).filter(({ command }) => command === 'postgres')
  for (const { pid } of servers) signalIfThere(pid, name)
  return servers.length
}

/** A process of Postgres may end by itself in the meantime. */
function signalIfThere(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}
