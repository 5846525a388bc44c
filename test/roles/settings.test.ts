import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { roles } from '../../process/roles/role.ts'
import { runHere } from '../cli/support/command-here.ts'
import { run } from '../cli/support/command-process.ts'
import { environmentOf, startServers, type ClusterServers } from '../support/cluster/start-cluster.ts'
import { natsIsMissing, natsSuite } from '../support/nats-server.ts'
import { startProduct, type ProductProcess } from '../support/product-process.ts'
import { laidDatabase } from '../support/test-database.ts'

const whole = {
  DATABASE_URL: 'postgres://guildhall@127.0.0.1:9/guildhall',
  NATS_URL: 'nats://127.0.0.1:9',
  PERSONAL_DATA_KEY: Buffer.alloc(32, 1).toString('base64'),
  EVENTSTORE_URL: '',
  GATEWAY_URL: '',
}
const needed = ['DATABASE_URL', 'NATS_URL', 'PERSONAL_DATA_KEY'] as const

const nothing = { ...whole, DATABASE_URL: '', NATS_URL: '', PERSONAL_DATA_KEY: '' }

describe('a role without a setting that it needs', () => {
  it.each(roles)('ends with exit status 1 and names all that are missing: %s', async (role) => {
    const { code, said, output } = await (role === 'api' ? run : runHere)([role], nothing)
    expect(code).toBe(1)
    for (const name of needed) expect(said).toContain(name)
    expect(output).not.toContain('ready')
  })

  it.each(needed)('ends with exit status 1 and names only %s if the others are set', async (name) => {
    const { code, said } = await runHere(['api'], { ...whole, [name]: '' })
    expect(code).toBe(1)
    expect(needed.filter((other) => said.includes(other))).toEqual([name])
  })
})

describe('a role with a setting that is wrong', () => {
  const wrong = [
    ['EVENTSTORE_URL', 'http://127.0.0.1:2113'],
    ['NATS_URL', '127.0.0.1:4222'],
    ['DATABASE_URL', 'mysql://127.0.0.1/guildhall'],
    ['PERSONAL_DATA_KEY', 'secret-but-too-short'],
    ['GATEWAY_URL', 'http://127.0.0.1:3001'],
    ['HTTP_PORT', '65536'],
  ] as const

  it.each(wrong)('ends with exit status 1 and names %s', async (name, value) => {
    const { code, said } = await runHere(['api'], { ...whole, [name]: value })
    expect(code).toBe(1)
    expect(said).toContain(name)
    expect(said, 'a value may be a secret').not.toContain('secret-but')
  })
})

describe.skipIf(natsIsMissing !== undefined)(natsSuite('a role whose servers do not answer'), () => {
  let servers: ClusterServers
  let stop = (): Promise<void> => Promise.resolve()
  beforeAll(async () => {
    const started = await startServers('postgres', laidDatabase)
    servers = started.servers
    stop = () => started.stop()
  })
  afterAll(() => stop(), 30_000)

  const unreachable = [
    ['DATABASE_URL', 'postgres://guildhall:secret-word@127.0.0.1:9/guildhall'],
    ['DATABASE_URL', 'postgres://guildhall:secret-word@postgres.invalid/guildhall'],
    ['NATS_URL', 'nats://guildhall:secret-word@127.0.0.1:9'],
    ['NATS_URL', 'nats://guildhall:secret-word@nats.invalid'],
    ['EVENTSTORE_URL', 'esdb://admin:secret-word@127.0.0.1:9?tls=false'],
  ] as const

  it.concurrent.each(unreachable)(
    'waits, says so in one line that names %s, without its password, and ends in order when it is stopped: %s',
    async (name, value) => {
      const lines: string[] = []
      let signal: ProductProcess['signal'] = () => undefined
      const outcome = startProduct({
        command: 'api',
        dataDir: '/nonexistent',
        environment: { ...environmentOf(servers), [name]: value },
        onStarted: (send) => (signal = send),
        onLine: (line) => void lines.push(line),
      }).catch((error: unknown) => String(error))
      await expect.poll(() => lines.some((line) => line.includes('waiting for it'))).toBe(true)
      signal('SIGTERM')
      expect(await outcome).toContain('The product ended (0) before it was ready')
      expect(lines.filter((line) => line.includes(name))).toHaveLength(1)
      expect(lines.join('\n')).not.toContain('secret-word')
    },
  )

  it('ends with exit status 1 if a server answers and has no such database', async () => {
    const { code, said } = await run(['api'], {
      ...environmentOf(servers),
      DATABASE_URL: environmentOf(servers)['DATABASE_URL']?.replace(/\/[^/?]*\?/, '/no_such_database?') ?? '',
    })
    expect(code).toBe(1)
    expect(said).toContain('DATABASE_URL')
  })
})
