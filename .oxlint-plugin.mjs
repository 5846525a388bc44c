// Two rules that oxlint does not bring. .oxlintrc.json says where each holds; test/import-rules.test.ts plants offences.

const isDate = (node) => node.type === 'Identifier' && node.name === 'Date'

/** `new Date()` and `Date()` read the clock; `new Date(milliseconds)` does not. */
const clocklessDate = {
  create(context) {
    const message = 'the domain has no clock: the time comes in with the command'
    return {
      NewExpression(node) {
        if (isDate(node.callee) && node.arguments.length === 0) context.report({ node, message })
      },
      CallExpression(node) {
        if (isDate(node.callee)) context.report({ node, message })
      },
    }
  },
}

/** no-unused-vars sees an unused binding; a catch clause without any binding uses what it caught even less. */
const bindCaught = {
  create(context) {
    return {
      CatchClause(node) {
        if (!node.param) context.report({ node, message: 'a catch clause names and uses what it caught' })
      },
    }
  },
}

export default {
  meta: { name: 'guildhall' },
  rules: { 'clockless-date': clocklessDate, 'bind-caught': bindCaught },
}
