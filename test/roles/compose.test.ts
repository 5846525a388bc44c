import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { roles, type Role } from '../../cli/roles/role.js'
import { readSettings } from '../../cli/settings.js'
import type { Client } from '../gateway/support/client.js'
import { MissingVariable, readComposeFile } from '../support/cluster/compose-file.js'
import { metricOf } from '../support/cluster/metrics.js'
import { environmentOf, startCluster, type Cluster } from '../support/cluster/start-cluster.js'
import { newWitness, openSession, type Witness } from '../support/cluster/witness.js'
import { acceptInvite, call, createInvite, register, send, type ApiRequest, type Person } from '../support/load-api.js'
import { natsIsMissing, natsSuite } from '../support/nats-server.js'
import type { ProductProcess } from '../support/product-process.js'
import { laidDatabase } from '../support/test-database.js'

const dotEnv = {
  PERSONAL_DATA_KEY: Buffer.alloc(32, 7).toString('base64'),
  POSTGRES_PASSWORD: 'a1b2c3',
  NATS_PASSWORD: 'd4e5f6',
  EVENTSTORE_PASSWORD: 'a7b8c9',
}
const compose = readComposeFile(dotEnv)
const servers = ['eventstore', 'postgres', 'nats']
const serviceOf = (name: string) => {
  const service = compose.services[name]
  if (!service) throw new Error(`docker-compose.yml has no service ${name}`)
  return service
}

describe('docker-compose.yml', () => {
  it('has the three servers, the certificates of one, and each role as a service of its own', () => {
    expect(Object.keys(compose.services).toSorted()).toEqual(['certificates', ...servers, ...roles].toSorted())
    for (const role of roles) expect(serviceOf(role).command).toEqual([role])
  })

  it('starts nothing while a secret is missing, and names it', () => {
    for (const name of Object.keys(dotEnv)) {
      expect(() => readComposeFile({ ...dotEnv, [name]: '' })).toThrow(MissingVariable)
      expect(() => readComposeFile({ ...dotEnv, [name]: '' })).toThrow(name)
    }
  })

  it('gives every role the same settings, which are valid and name the existing services', () => {
    const { environment } = serviceOf('api')
    for (const role of roles) expect(serviceOf(role).environment).toEqual(environment)
    const settings = readSettings(environment)
    expect(settings.personalDataKey).toBe(dotEnv.PERSONAL_DATA_KEY)
    const { POSTGRES_USER, POSTGRES_DB } = serviceOf('postgres').environment
    expect(settings.databaseUrl).toBe(
      `postgres://${POSTGRES_USER}:${dotEnv.POSTGRES_PASSWORD}@postgres:5432/${POSTGRES_DB}`,
    )
    const eventStore = serviceOf('eventstore').environment
    expect(settings.eventStoreUrl).toBe(
      `esdb://admin:${dotEnv.EVENTSTORE_PASSWORD}@eventstore:${eventStore['EVENTSTORE_NODE_PORT']}?tlsCAFile=/authority/ca.crt`,
    )
    expect(settings.natsServers).toEqual([`nats://guildhall:${dotEnv.NATS_PASSWORD}@nats:4222`])
    expect(serviceOf('nats').command).toContain('--jetstream')
  })

  it('makes every server require a password', () => {
    expect(serviceOf('postgres').environment).toMatchObject({ POSTGRES_PASSWORD: dotEnv.POSTGRES_PASSWORD })
    expect(serviceOf('nats').command.join(' ')).toContain(`--user guildhall --pass ${dotEnv.NATS_PASSWORD}`)
    const { environment } = serviceOf('eventstore')
    expect(environment).not.toHaveProperty('EVENTSTORE_INSECURE')
    expect(environment).toMatchObject({ EVENTSTORE_DEFAULT_ADMIN_PASSWORD: dotEnv.EVENTSTORE_PASSWORD })
    expect(environment).toMatchObject({ EVENTSTORE_DEFAULT_OPS_PASSWORD: dotEnv.EVENTSTORE_PASSWORD })
  })

  it('makes the certificate of the event store before it starts, and keeps the key from the roles', () => {
    const isDone = { certificates: { condition: 'service_completed_successfully' } }
    expect(serviceOf('eventstore').depends_on).toEqual(isDone)
    expect(serviceOf('certificates').network_mode).toBe('none')
    const holders = Object.entries(compose.services).filter(([, { volumes }]) =>
      volumes.some((volume) => volume.startsWith('certificates:')),
    )
    expect(holders.map(([name]) => name)).toEqual(['certificates', 'eventstore'])
  })

  it('takes from .env what an operator decides: mail, the policy of the instance, and where images are', () => {
    const decided = {
      SMTP_URL: 'smtps://mail.example',
      MAIL_FROM: 'chat@example.com',
      INSTANCE_CONFIG: '{"registration":{"mode":"closed"}}',
      MEDIA_URL: 'https://key:secret@s3.example/images',
      TRUSTED_PROXIES: '10.0.0.1',
    }
    const { services } = readComposeFile({ ...dotEnv, ...decided })
    for (const role of roles) expect(services[role]?.environment).toMatchObject(decided)
  })

  it('checks the readiness of each role at a port that the load does not reach, and starts it once the servers are healthy', () => {
    for (const role of roles) {
      const { healthcheck, environment, depends_on: needs } = serviceOf(role)
      expect(healthcheck.test.join(' ')).toContain(`http://127.0.0.1:${environment['STATUS_PORT']}/_ready`)
      expect(needs).toEqual(Object.fromEntries(servers.map((name) => [name, { condition: 'service_healthy' }])))
    }
  })

  it('publishes only the API and the Gateway, only to this machine, and no server', () => {
    const published = Object.entries(compose.services).flatMap(([name, { ports }]) => ports.map((port) => [name, port]))
    expect(published).toEqual([
      ['api', '127.0.0.1:3000:3000'],
      ['gateway', '127.0.0.1:3001:3000'],
    ])
    for (const name of servers) expect(serviceOf(name).networks).toEqual(['stores'])
    expect(compose.networks['stores']).toEqual({ internal: true })
  })

  it('keeps everything on volumes that must outlive a container', () => {
    const withImages: readonly string[] = ['api', 'worker']
    const kept = Object.keys(compose.services).flatMap((name) =>
      serviceOf(name).volumes.map((volume) => volume.split(':')[0]),
    )
    expect(new Set(kept)).toEqual(new Set(Object.keys(compose.volumes)))
    for (const role of roles) {
      const volumes = ['authority:/authority:ro', ...(withImages.includes(role) ? ['images:/data'] : [])]
      expect(serviceOf(role)).toMatchObject({ volumes, read_only: true })
    }
  })
})

describe.skipIf(natsIsMissing !== undefined)(natsSuite('the roles, started as docker-compose.yml starts them'), () => {
  let cluster: Cluster
  let ada: Witness
  let bea: Person
  let adaHears: Client
  let beaHears: Client
  let stop = (): Promise<void> => Promise.resolve()

  beforeAll(async () => {
    cluster = await startCluster({
      apis: 2,
      gateways: 1,
      projectors: 1,
      workers: 1,
      eventStore: 'eventstoredb',
      database: laidDatabase,
      environment: ownSettings(serviceOf('api').environment),
    })
    stop = () => cluster.close()
  })
  afterAll(() => stop(), 60_000)

  const processOf = (role: Role, index = 0): ProductProcess => {
    const found = cluster.running(role)[index]
    if (!found) throw new Error(`There is no ${role} ${index}`)
    return found
  }
  const api = (index: number): string => processOf('api', index).url

  it('are healthy by the healthcheck of the file', async () => {
    for (const role of roles) {
      for (const { statusUrl } of cluster.running(role))
        await expect.poll(async () => [role, await healthcheck(role, statusUrl)]).toEqual([role, 0])
    }
  })

  it('announce the API and the Gateway at the addresses of the file', async () => {
    const { environment } = serviceOf('api')
    const response = await fetch(`${api(1)}/.well-known/guildhall`)
    expect(await response.json()).toMatchObject({
      endpoints: { api: environment['PUBLIC_URL'], gateway: environment['GATEWAY_URL'] },
    })
  })

  it('let everybody read their own writes at another process, at once', async () => {
    ada = await newWitness((index) => api(index % 2), 'ada')
    adaHears = await openSession(processOf('gateway').url, ada.owner)
    bea = await call(api(1), register('bea'))
    beaHears = await openSession(processOf('gateway').url, bea)
    expect(await send(api(0), me(bea))).toMatchObject({ status: 200, body: { id: bea.id } })
  })

  it('tell Gateway clients what API processes have done', async () => {
    const invite = createInvite(ada.owner, ada.guild.textChannel, { max_uses: 1, max_age: 3600 })
    const { code } = await call(api(0), invite)
    expect((await adaHears.dispatch('INVITE_CREATE')).d['code']).toBe(code)
    await call(api(1), acceptInvite(bea, code))
    expect((await beaHears.dispatch('GUILD_CREATE')).d['id']).toBe(ada.guild.id)
    expect((await adaHears.dispatch('GUILD_MEMBER_ADD')).d).toMatchObject({ user: { id: bea.id } })
    expect(await send(api(0), acceptInvite(bea, code))).toMatchObject({ status: 404 })
  })

  it('share their limits: a client may register three accounts an hour, whichever process it asks', async () => {
    expect((await send(api(0), register('cay'))).status).toBe(200)
    expect((await send(api(1), register('dee'))).status).toBe(429)
    expect((await send(api(0), register('eve'))).status).toBe(429)
  })

  it('write one audit log', async () => {
    const { body } = await send(api(1), { ...me(ada.owner), path: `/v1/guilds/${ada.guild.id}/audit-logs` })
    expect(auditLog.parse(body).audit_log_entries.map(({ action_type: type }) => type)).toContain(40)
  })

  it('refuse a session everywhere as soon as one process has ended it', async () => {
    expect(await send(api(1), me(bea))).toMatchObject({ status: 200 })
    expect((await send(api(0), { ...me(bea), method: 'POST', path: '/v1/auth/logout' })).status).toBeLessThan(300)
    expect(await send(api(1), me(bea))).toMatchObject({ status: 401 })
    expect(await send(api(0), me(bea))).toMatchObject({ status: 401 })
  })

  it('answer with metrics of their own', async () => {
    for (const role of roles) expect(await metricOf(processOf(role), 'process_cpu_seconds_total')).toBeGreaterThan(0)
    expect(await metricOf(processOf('gateway'), 'guildhall_gateway_sessions')).toBeGreaterThan(0)
    expect(await metricOf(processOf('projector'), 'guildhall_projector_leading')).toBe(1)
    expect(await metricOf(processOf('worker'), 'guildhall_projector_leading')).toBeUndefined()
  })

  it('serve the API only at the API', async () => {
    for (const role of ['gateway', 'projector', 'worker'] as const)
      expect([role, (await send(processOf(role).url, me(ada.owner))).status]).toEqual([role, 404])
  })

  it('end in order and in time when they are stopped', async () => {
    const grace_ms = Number.parseInt(serviceOf('api').stop_grace_period ?? '', 10) * 1000
    for (const role of ['api', 'gateway', 'worker', 'projector'] as const) {
      for (const product of cluster.running(role)) {
        const began = performance.now()
        // Rejects for any exit code except 0.
        await product.stop()
        expect(performance.now() - began).toBeLessThan(grace_ms)
        expect([role, await healthcheck(role, product.statusUrl)]).toEqual([role, 1])
      }
    }
    expect((await adaHears.closed).code).toBe(4000)
  })
})

/**
 * The settings that the file gives a role, without the names of the servers, which the cluster supplies. Each of these must be in
 * the file.
 */
function ownSettings(environment: Readonly<Record<string, string>>): Record<string, string> {
  const given = environmentOf({
    connection: {},
    personalDataKey: new Uint8Array(32),
    nats: { url: '' },
    eventStore: { url: '' },
  })
  const missing = Object.keys(given).filter((name) => environment[name] === undefined)
  if (missing.length > 0) throw new Error(`docker-compose.yml does not set ${missing.join(', ')}`)
  return Object.fromEntries(Object.entries(environment).filter(([name]) => given[name] === undefined))
}

/** Runs the healthcheck of the file against a process of this machine; returns its exit code. */
async function healthcheck(role: Role, statusUrl: string): Promise<number | null> {
  const [kind, program = '', ...words] = serviceOf(role).healthcheck.test
  expect(kind).toBe('CMD')
  const inContainer = `http://127.0.0.1:${serviceOf(role).environment['STATUS_PORT']}`
  const child = spawn(
    program,
    words.map((word) => word.replace(inContainer, statusUrl)),
    { stdio: 'ignore' },
  )
  await once(child, 'exit')
  return child.exitCode
}

const auditLog = z.object({ audit_log_entries: z.array(z.object({ action_type: z.int() })) })

function me({ token }: Person): ApiRequest {
  return { method: 'GET', path: '/v1/users/@me', token, parse: (body) => body }
}
