import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { end_ms_max } from '../../../cli/commands/ending.ts'
import { processesOn } from '../../adapters/postgres/embedded/support.ts'
import { noteFault } from '../../support/fault-table.ts'
import type { LoadSite } from '../../support/load-site.ts'
import { paced } from '../../support/pace.ts'
import { signalPostgres } from '../signal-postgres.ts'

/** Begins without a process, and leaves none. */
export function endedWithItsPostgresHung(site: LoadSite): void {
  describe('SIGTERM of one process whose embedded Postgres hangs', () => {
    it('ends the process within its bound, and Postgres once that goes on', async () => {
      const postgres = path.join(site.dataDir, 'postgres')
      const product = await site.start()
      try {
        signalPostgres(postgres, 'SIGSTOP')
        const asked = fetch(`${product.url}/v1/users/@me`, { headers: { authorization: 'gld_none' } }).catch(String)
        const began = performance.now()
        const late = setTimeout(() => product.signal('SIGKILL'), paced(end_ms_max))
        const status = await product.kill('SIGTERM')
        clearTimeout(late)
        const stuck_s = (performance.now() - began) / 1000
        await asked
        noteFault('F32e', {
          title: 'SIGTERM of one process while its embedded Postgres hangs',
          runs: 1,
          lost: status === null ? 1 : 0,
          repeated: 0,
          reordered: 0,
          divergent: 0,
          stuck_s,
        })
        expect(status, `${product.lines.join('\n')}`).not.toBeNull()
      } finally {
        signalPostgres(postgres, 'SIGCONT')
        await product.kill()
        await expect.poll(() => processesOn(postgres)).toEqual([])
      }
    })
  })
}
