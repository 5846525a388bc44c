import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { roles } from '../../process/roles/role.ts'
import { settingSchema } from '../../process/settings/setting-schema.ts'
import { readSettings } from '../../process/settings/settings.ts'
import { MissingVariable, readComposeFile } from '../support/cluster/compose-file.ts'
import { compose, dotEnv, servers, serviceOf } from './support/compose.ts'

const read = (file: string): string => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8')

describe('docker-compose.yml', () => {
  it('has the three servers, the certificates of one, a proxy for the public, and each role as a service of its own', () => {
    expect(Object.keys(compose.services).toSorted()).toEqual(['caddy', 'certificates', ...servers, ...roles].toSorted())
    for (const role of roles) expect(serviceOf(role).command).toEqual([role])
  })

  it('starts nothing while a secret is missing, and names it', () => {
    for (const name of Object.keys(dotEnv)) {
      expect(() => readComposeFile({ ...dotEnv, [name]: '' })).toThrow(MissingVariable)
      expect(() => readComposeFile({ ...dotEnv, [name]: '' })).toThrow(name)
    }
  })

  it('passes on who may reach the API from other pages', () => {
    const origins = 'https://client.example,https://tools.example'
    const { services } = readComposeFile({ ...dotEnv, CORS_ORIGINS: origins })
    for (const role of roles) expect(services[role]?.environment).toMatchObject({ CORS_ORIGINS: origins })
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

  it('passes on every setting that there is, but for the address of the status port, which is that of HTTP', () => {
    for (const role of roles)
      expect(Object.keys(serviceOf(role).environment).toSorted()).toEqual(
        Object.keys(settingSchema.shape)
          .filter((name) => name !== 'STATUS_HOST')
          .toSorted(),
      )
  })

  it('takes each of them from .env, but for those that name its own services and folders', () => {
    const fixed = ['DATABASE_URL', 'DATA_DIR', 'EVENTSTORE_URL', 'HTTP_HOST', 'HTTP_PORT', 'NATS_URL', 'STATUS_PORT']
    const given = Object.keys(serviceOf('api').environment).filter((name) => !fixed.includes(name))
    const { services } = readComposeFile({
      ...dotEnv,
      ...Object.fromEntries(given.map((name) => [name, `of ${name}`])),
    })
    for (const role of roles) for (const name of given) expect(services[role]?.environment[name]).toBe(`of ${name}`)
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

  it('publishes only the API and the Gateway, only to this machine, and the proxy to all if it is asked for', () => {
    const published = Object.entries(compose.services).flatMap(([name, { ports }]) => ports.map((port) => [name, port]))
    expect(published).toEqual([
      ['api', '127.0.0.1:3000:3000'],
      ['gateway', '127.0.0.1:3001:3000'],
      ['caddy', '80:80'],
      ['caddy', '443:443'],
      ['caddy', '443:443/udp'],
    ])
    expect(Object.keys(compose.services).filter((name) => serviceOf(name).profiles.length > 0)).toEqual(['caddy'])
    expect(serviceOf('caddy').networks.names).toEqual(['outside'])
    for (const name of servers) expect(serviceOf(name).networks.names).toEqual(['stores'])
    expect(compose.networks['stores']).toEqual({ internal: true })
  })

  it('makes the roles believe what the proxy says of clients, and nobody else', () => {
    for (const role of roles)
      expect(readSettings(serviceOf(role).environment).trustedProxies).toEqual(serviceOf('caddy').networks.addresses)
  })

  it('sends the Gateway and the API through the proxy, at the port that they open', () => {
    const caddyfile = read('deploy/Caddyfile')
    const targets = [...caddyfile.matchAll(/dynamic a (\w+) (\d+)/g)].map(([, name = '', port = '']) => [name, port])
    expect(targets).toEqual([
      ['gateway', serviceOf('gateway').environment['HTTP_PORT']],
      ['api', serviceOf('api').environment['HTTP_PORT']],
    ])
    // Sessions are resumed at the Gateway that has them: each client is sent to the same one.
    const [, ofGateway = ''] = /handle @gateway \{(.*?)\n\t\}/s.exec(caddyfile) ?? []
    expect(ofGateway).toContain('lb_policy client_ip_hash')
    expect(caddyfile).toContain('@gateway path /gateway /gateway/\n')
    expect(Object.keys(serviceOf('caddy').environment)).toEqual(['DOMAIN'])
    expect(caddyfile).toContain('{$DOMAIN:')
    expect(serviceOf('caddy').volumes).toContain('./deploy/Caddyfile:/etc/caddy/Caddyfile:ro')
  })

  it('gives Postgres as many connections as docs/operating.md says that the roles may open', () => {
    const each = Number(/Every process opens up to (\d+) connections/.exec(read('docs/operating.md'))?.[1])
    expect(each).toBeGreaterThan(0)
    const [, given] = /max_connections=(\d+)/.exec(serviceOf('postgres').command.join(' ')) ?? []
    expect(read('docker-compose.yml')).toContain(`up to ${each} connections`)
    expect(Number(given) / each).toBeGreaterThanOrEqual(2 * roles.length)
  })

  it('bounds what each service logs', () => {
    for (const [name, { logging }] of Object.entries(compose.services))
      expect([name, logging]).toEqual([name, { driver: 'local', options: { 'max-size': '20m', 'max-file': '5' } }])
  })

  it('keeps everything on volumes that must outlive a container', () => {
    const withImages: readonly string[] = ['api', 'worker']
    const kept = Object.keys(compose.services).flatMap((name) =>
      serviceOf(name)
        .volumes.filter((volume) => !volume.startsWith('./'))
        .map((volume) => volume.split(':')[0]),
    )
    expect(new Set(kept)).toEqual(new Set(Object.keys(compose.volumes)))
    for (const role of roles) {
      const volumes = ['authority:/authority:ro', ...(withImages.includes(role) ? ['images:/data'] : [])]
      expect(serviceOf(role)).toMatchObject({ volumes, read_only: true })
    }
  })
})
