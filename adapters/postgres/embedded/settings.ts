import { EmbeddedPostgresError } from './error.ts'

/** On a unix socket, the port is only a part of the socket's name. */
export const PORT = 5432
export const USER = 'guildhall'
export const DATABASE = 'postgres'

/** The product's preferred Postgres settings. The caller's settings come after these and win. */
const PREFERRED: Readonly<Record<string, string>> = {
  synchronous_commit: 'on',
  shared_buffers: '128MB',
  max_connections: '100',
  // This server has no replicas; crash safety does not depend on these three.
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_logical_replication_workers: '0',
  jit: 'off',
  // It shares the machine with the process that serves requests: no statement takes more than one core.
  max_parallel_workers_per_gather: '0',
  TimeZone: 'UTC',
  log_timezone: 'UTC',
  // The caller reports a failed statement once. Postgres' own report would bring values of rows into the log.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
  log_checkpoints: 'off',
  log_line_prefix: '',
}

/** Settings that the launcher relies on. Nothing overrides these. */
function required(socketFolder: string): Readonly<Record<string, string>> {
  return {
    listen_addresses: '',
    port: String(PORT),
    unix_socket_directories: `"${socketFolder.replaceAll('"', '""')}"`,
    unix_socket_permissions: '0700',
    log_destination: 'stderr',
    logging_collector: 'off',
  }
}

/** The arguments of `postgres` for these settings. Rejects an invalid setting name. */
export function settingArguments(socketFolder: string, settings: Readonly<Record<string, string>>): string[] {
  const all = [PREFERRED, settings, required(socketFolder)].flatMap((group) => Object.entries(group))
  return all.flatMap(([name, value]) => {
    if (!/^[a-z_][\w.]*$/i.test(name)) throw new EmbeddedPostgresError(`Postgres has no setting named ${name}.`)
    return ['-c', `${name}=${value}`]
  })
}

export const INITDB_ARGUMENTS: readonly string[] = [
  `--username=${USER}`,
  '--auth-local=trust',
  '--auth-host=reject',
  '--encoding=UTF8',
  // Strings sort by code point and letter case follows Unicode, the same on every host; nothing is taken from the environment.
  '--locale=C',
  '--locale-provider=builtin',
  '--builtin-locale=C.UTF-8',
  '--data-checksums',
  '--no-instructions',
]
