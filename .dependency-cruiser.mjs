// The import table of ARCHITECTURE.md, as rules. test/import-rules.test.ts plants an offence against each of them.
//
// dependency-cruiser cannot use TypeScript 7 as its parser, and where it finds no parser for .ts it reads no imports and
// reports "no violations". So the parser is @swc/core, and its absence is an error here instead of a green result.
import swc from '@swc/core'
import '@swc/core/Visitor.js'

// dependency-cruiser has it parse every file as plain TypeScript; the parser needs to be told where there is JSX.
const { parseFileSync } = swc
swc.parseFileSync = (file, options) => parseFileSync(file, { ...options, tsx: file.endsWith('.tsx') })

const codeFolders = '^(domain|application|projections|adapters|gateway|process|cli|client|console|test|bench)/'

/**
 * One row of the table: which of our own files a folder may import. Packages are not its concern, except that a file
 * outside every code folder (`dist/`, a new top-level folder) is never one of ours to import.
 */
function folder(name, mayImport) {
  return {
    name: `${name}-imports`,
    comment: `${name}/ may import only: ${mayImport.join(', ')}`,
    severity: 'error',
    from: { path: `^${name}/` },
    to: { path: codeFolders, pathNot: mayImport },
  }
}

const ports = '^application/ports(/|\\.ts$)'
/** Batches, pauses, news and listeners: tools that know nothing of the product, for whoever works beside others. */
const concurrency = '^application/concurrency/'
/** Names the work that a process does at the moment, for its watchdog and its traces. */
const observation = '^application/observation/'
/** What ports reject with, and the tag that queries are written with. */
const failures = '^application/failures/'
const sqlTag = '^application/sql/'
const sharedWireObjects = '^application/wire-objects(/|\\.ts$)'
/**
 * The subjects of `application/`, from the one that knows no other to the one that knows them all. What stands beside them
 * (ports, commands, aggregates, access, wire objects, ...) is for all of them, and knows none.
 */
const subjects = ['presence', 'conversations', 'communities', 'identity', 'apps', 'administration', 'processes']

/** A subject may import those before it. */
const subjectsRunOneWay = subjects.slice(0, -1).map((subject, index) => ({
  name: `application-${subject}-imports`,
  comment: `application/${subject}/ may import, of the other subjects: ${subjects.slice(0, index).join(', ') || 'none'}`,
  severity: 'error',
  from: { path: `^application/${subject}/` },
  to: { path: `^application/(${subjects.slice(index + 1).join('|')})/` },
}))

/**
 * Each process manager is one value: what begins and ends its steps, and what finishes them. The read model of unfinished steps follows
 * from these values, so it imports them, and nothing else of the use cases.
 */
const unfinished = '^projections/unfinished/'
const declaredProcesses = '^application/processes/(managers/|process-managers?\\.ts$)'

/** The floors of the Gateway, from the lowest up: a folder imports none of a floor above its own. */
const floorsOfGateway = {
  protocol: ['protocol'],
  state: ['sessions', 'visibility'],
  dispatches: ['dispatches'],
  flow: ['commands', 'connections', 'events', 'member-lists', 'messages', 'presences', 'starts'],
}
const gatewayFloors = Object.entries(floorsOfGateway)
  .slice(0, -1)
  .map(([floor, folders], index) => ({
    name: `gateway-${floor}-imports`,
    comment: `${floor} of the Gateway imports nothing of the floors above it`,
    severity: 'error',
    from: { path: `^gateway/(${folders.join('|')})/` },
    to: {
      path: `^gateway/(${Object.values(floorsOfGateway)
        .slice(index + 1)
        .flat()
        .join('|')})/`,
    },
  }))

/** The floors of HTTP, from the lowest up, as those of the Gateway. On the lowest stand the files beside the folders, too. */
const floorsOfHttp = {
  declarations: ['[^/]+\\.ts$', 'schemas/', 'errors/'],
  checks: ['authentication/', 'brakes/', 'idempotency/', 'limits/', 'request/'],
  answers: ['archives/', 'console/', 'media/', 'openapi/', 'operations/', 'pages/'],
  server: ['server/'],
}
const httpFloors = Object.entries(floorsOfHttp)
  .slice(0, -1)
  .map(([floor, places], index) => ({
    name: `http-${floor}-imports`,
    comment: `${floor} of HTTP import nothing of the floors above them`,
    severity: 'error',
    from: { path: `^adapters/http/(${places.join('|')})` },
    to: {
      path: `^adapters/http/(${Object.values(floorsOfHttp)
        .slice(index + 1)
        .flat()
        .join('|')})`,
    },
  }))
const queries = '^projections/.*/queries\\.ts$'

export default {
  forbidden: [
    {
      name: 'domain-is-pure',
      comment: 'domain/ imports nothing outside domain/: no other folder, no package, no node: module',
      severity: 'error',
      from: { path: '^domain/', pathNot: '^domain/testing/' },
      to: { pathNot: '^domain/' },
    },
    {
      name: 'domain-testing-imports',
      comment: 'domain/testing/ imports nothing outside domain/ but fast-check: it is published with domain/',
      severity: 'error',
      from: { path: '^domain/testing/' },
      to: { pathNot: ['^domain/', 'node_modules/fast-check/'] },
    },
    {
      name: 'product-without-domain-testing',
      comment: 'only tests, benchmarks and domain/testing/ itself import domain/testing/',
      severity: 'error',
      from: { pathNot: '^(test|bench|domain/testing)/' },
      to: { path: '^domain/testing/' },
    },
    folder('application', ['^application/', '^domain/']),
    {
      ...folder('projections', ['^projections/', '^domain/', ports, failures, sqlTag, concurrency, observation]),
      from: { path: '^projections/', pathNot: unfinished },
    },
    {
      ...folder('projections/unfinished', [
        '^projections/',
        '^domain/',
        ports,
        failures,
        sqlTag,
        concurrency,
        observation,
        declaredProcesses,
      ]),
      name: 'projections-unfinished-imports',
    },
    folder('adapters', ['^adapters/', '^application/', '^domain/', queries]),
    // The extensions of the table: dispatches carry the same wire objects that HTTP answers with, and work is watched everywhere.
    folder('gateway', ['^gateway/', '^domain/', ports, sharedWireObjects, observation]),
    ...gatewayFloors,
    ...httpFloors,
    ...subjectsRunOneWay,
    {
      name: 'concurrency-knows-nothing',
      comment:
        'application/concurrency/ imports no other file of ours but the ports of its locks and of what processes tell each other: all but domain/ and gateway/ may import it',
      severity: 'error',
      from: { path: concurrency },
      to: { path: codeFolders, pathNot: [concurrency, '^application/ports/(lock-connections|notifier)\\.ts$'] },
    },
    {
      name: 'observation-knows-nothing',
      comment: 'application/observation/ imports no other file of ours: all but domain/ may import it',
      severity: 'error',
      from: { path: observation },
      to: { path: codeFolders, pathNot: observation },
    },
    {
      name: 'concurrency-without-pg',
      comment:
        'application/concurrency/ knows connections of Postgres by the port of its locks alone, not by their package',
      severity: 'error',
      from: { path: concurrency },
      to: { path: '(^|/)node_modules/(@types/)?pg(-|/|$)' },
    },
    {
      name: 'application-shared-knows-no-subject',
      comment: 'what all subjects of application/ share imports none of them',
      severity: 'error',
      from: { path: '^application/', pathNot: `^application/(${subjects.join('|')})/` },
      to: { path: `^application/(${subjects.join('|')})/` },
    },
    {
      name: 'adapters-know-only-postgres',
      comment: 'an adapter imports no other adapter, except adapters/postgres, the shared database access',
      severity: 'error',
      from: { path: '^adapters/([^/]+)' },
      to: { path: '^adapters/', pathNot: '^adapters/($1|postgres)(/|$)' },
    },
    {
      name: 'http-never-runs-projections',
      comment: 'adapters/http reads read models; what projects them is not its business, queries.ts included',
      severity: 'error',
      from: { path: '^adapters/http/' },
      to: { path: '^projections/runner/' },
    },
    {
      name: 'process-is-the-root',
      comment: 'only cli/, test/ and bench/ may import the composition root',
      severity: 'error',
      from: { pathNot: '^(process|cli|test|bench)/' },
      to: { path: '^process/' },
    },
    {
      name: 'cli-is-commands',
      comment: 'only test/ and bench/ may import the command line',
      severity: 'error',
      from: { pathNot: '^(cli|test|bench)/' },
      to: { path: '^cli/' },
    },
    {
      name: 'product-without-compiler',
      comment: 'only the reference pages, which are no part of the product, ask the compiler for types',
      severity: 'error',
      from: { pathNot: '^(test/|cli/event-schemas/|cli/reference/pages\\.ts$)' },
      to: { path: '^cli/event-schemas/' },
    },
    {
      name: 'console-knows-only-the-api',
      comment: 'console/ runs in browsers: it knows the server by the client and the operations of the Admin API alone',
      severity: 'error',
      from: { path: '^console/', pathNot: '^console/build\\.mjs$' },
      to: { dependencyTypes: ['local'], pathNot: '^(console|client|dist/console-api)/' },
    },
    {
      name: 'client-knows-only-the-api',
      comment: 'client/ is published and runs in browsers: it knows the server by the types of its documents alone',
      severity: 'error',
      from: { path: '^client/' },
      to: { pathNot: ['^(client|dist/client-api)/', 'node_modules/openapi-fetch/'] },
    },
    {
      name: 'server-without-client',
      comment: 'only commands, console/, tests and benchmarks use the client',
      severity: 'error',
      from: { pathNot: '^(client|cli|console|test|bench)/' },
      to: { path: '^client/' },
    },
    {
      name: 'server-without-console',
      comment: 'only console/ imports console/: the server sends what is built of it',
      severity: 'error',
      from: { pathNot: '^console/' },
      to: { path: '^console/' },
    },
    {
      name: 'product-without-tests',
      comment: 'product code imports neither test/ nor bench/',
      severity: 'error',
      from: { pathNot: '^(test|bench)/' },
      to: { path: '^(test|bench)/' },
    },
    {
      name: 'no-unknown-folder',
      comment: 'our own files live in the folders of the table; dist/ and other top-level folders are not imported',
      severity: 'error',
      from: { pathNot: '^(client|console|tools)/' },
      to: { dependencyTypes: ['local'], pathNot: [codeFolders, '^(package|[^/]+\\.config)\\.(json|ts)$'] },
    },
    {
      name: 'no-circular',
      comment: 'no import cycles, type-only ones included',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'not-to-unresolvable',
      comment: 'an import that cannot be resolved to a file is an import that the other rules cannot judge',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: 'packages-are-declared',
      comment:
        'product code imports only packages that package.json names as dependencies; openapi-types holds only types, and console/ is bundled',
      severity: 'error',
      from: { pathNot: '^(test|bench|domain/testing|cli/event-schemas|console)/' },
      to: {
        dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'],
        pathNot: 'node_modules/(openapi-types|@types)/',
      },
    },
  ],
  options: {
    parser: 'swc',
    doNotFollow: { path: 'node_modules' },
    moduleSystems: ['es6', 'cjs'],
    enhancedResolveOptions: {
      extensions: ['.ts', '.tsx', '.mjs', '.js', '.json'],
      exportsFields: ['exports'],
      conditionNames: ['node', 'import', 'types', 'default'],
    },
  },
}
