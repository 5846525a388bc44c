/**
 * The operations of an OpenAPI document of ours, as the console needs them: who may call each, and what it takes. References are
 * resolved, so that a form can be drawn from what is here.
 *
 * @param {object} document
 * @returns {object} by the operation's id
 */
export function operationsIn(document) {
  const resolved = (schema) => {
    if (Array.isArray(schema)) return schema.map(resolved)
    if (schema === null || typeof schema !== 'object') return schema
    if (typeof schema.$ref === 'string') return resolved(referred(document, schema.$ref))
    return Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, resolved(value)]))
  }
  const operations = {}
  for (const [path, methods] of Object.entries(document.paths))
    for (const [method, operation] of Object.entries(methods)) {
      if (operation.operationId === undefined) continue
      const parameters = (operation.parameters ?? []).map(resolved).filter((parameter) => parameter.in !== 'header')
      const query = parameters.filter((parameter) => parameter.in === 'query' && parameter.name !== 'dry_run')
      const body =
        operation.requestBody && resolved(withoutProof(operation.requestBody.content['application/json']?.schema))
      const choices = query.flatMap(({ name, schema }) => (schema.enum ? [[name, schema.enum]] : []))
      const deepest = query.find(({ name }) => name === 'offset')?.schema.maximum
      const isAsked = parameters.some((parameter) => parameter.name === 'dry_run')
      const dryRun = body?.properties?.dry_run ? 'body' : isAsked && 'query'
      operations[operation.operationId] = {
        method: method.toUpperCase(),
        path,
        summary: operation.summary,
        description: operation.description,
        acls: operation['x-admin-acls'] ?? [],
        anyOf: operation['x-admin-acls-any-of'] ?? [],
        action: operation['x-admin-audit-action'],
        ...(dryRun && { dryRun }),
        ...(method !== 'get' && query.length > 0 && { query }),
        ...(method === 'get' && choices.length > 0 && { choices: Object.fromEntries(choices) }),
        ...(method === 'get' && deepest !== undefined && { offset_max: deepest }),
        ...(operation.requestBody && {
          body,
          isBodyRequired: operation.requestBody.required === true,
        }),
      }
    }
  return operations
}

const proof = '#/components/schemas/SudoVerification'

/** The schema of a body without what proves who acts: the console asks for that where the API refuses without it. */
function withoutProof(schema) {
  if (schema?.$ref === proof) return { type: 'object', properties: {} }
  const own = schema?.allOf?.filter(({ $ref }) => $ref !== proof)
  return own?.length === 1 ? own[0] : schema
}

function referred(document, reference) {
  return reference
    .slice(2)
    .split('/')
    .reduce((found, part) => found[part.replaceAll('~1', '/').replaceAll('~0', '~')], document)
}
