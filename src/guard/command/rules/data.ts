// Rules about databases, and what destroys what is in them.
import type { Call } from "../call.ts";
import type { CommandRule } from "../rule.ts";

const family = "databases";

const CLIENTS = [
  "psql",
  "mysql",
  "mariadb",
  "sqlite3",
  "sqlcmd",
  "sqlplus",
  "mongo",
  "mongosh",
  "redis-cli",
  "valkey-cli",
  "cqlsh",
  "clickhouse-client",
  "clickhouse",
  "duckdb",
  "cockroach",
  "influx",
  "usql",
  "pgcli",
  "mycli",
  "bq",
  "snowsql",
  "trino",
  "presto",
  "hive",
  "beeline",
  "isql",
  "db2",
  "osql",
  "supabase",
  "turso",
  "wrangler",
  "mysqlsh",
  "neo4j",
  "cypher-shell",
  "etcdctl",
  "memcached-tool",
  "dropdb",
  "dropuser",
  "pg_restore",
  "mysqladmin",
  "pg_dropcluster",
  "pg_resetwal",
  "mongorestore",
  "redis-server",
  "pg_ctl",
  "pg_ctlcluster",
];

/** SQL that destroys: DROP, TRUNCATE, DELETE and UPDATE without a WHERE, GRANT ALL, and the like. */
export function destroysBySql(sql: string): boolean {
  const text = sql.replace(/--[^\n]*|\/\*[\s\S]*?\*\//g, " ").replace(/\s+/g, " ");
  if (
    /\b(drop|truncate)\s+(table|database|schema|index|view|user|role|column|keyspace|materialized|function|trigger|sequence|constraint|type|tablespace|extension|policy|collection|stream|topic|login|owned)\b/i.test(
      text,
    ) ||
    /\btruncate\s+[\w."`]+/i.test(text)
  )
    return true;
  if (/\balter\s+(table|database|user|role)\b.*\b(drop|disable|rename|owner|password)\b/i.test(text)) return true;
  if (
    /\b(grant\s+all|revoke\s+all|shutdown(\s+(nosave|save|immediate|abort))?\s*;?\s*$|flush\s+privileges|reset\s+master|purge\s+binary)\b/i.test(
      text,
    )
  )
    return true;
  return text
    .split(";")
    .some(
      (statement) =>
        (/\bdelete\s+from\b/i.test(statement) || /\bupdate\s+[\w."`]+\s+set\b/i.test(statement)) && !/\bwhere\b/i.test(statement),
    );
}

/** What is longer than this is not read, and so not cleared. */
const LONGEST = 8_192;

const STORE_COMMAND =
  /\b(flushall|flushdb|flush_all|shutdown|debug\s+segfault|config\s+(set|rewrite|resetstat)|del\s+\*|script\s+flush|replicaof|slaveof|acl\s+(deluser|setuser)|cluster\s+reset|swapdb|function\s+flush|keys\s+\*\s*\|)\b/i;
const MONGO =
  /\b(drop(Database|Collection|Index(es)?|User|AllUsersFromDatabase|Role)?\s*\(|deleteMany\s*\(\s*\{\s*\}|remove\s*\(\s*(\{\s*\})?\s*\)|shutdownServer|\.drop\(|fsyncLock|updateMany\s*\(\s*\{\s*\}|deleteMany\s*\(|renameCollection)/;
const COMMAND_LIKE = /^(drop|truncate|delete|update|alter|shutdown|flushall|flushdb|grant|revoke)$/i;

const inputOf = ({ stdin }: Call): string =>
  stdin.kind === "text"
    ? stdin.text
    : stdin.kind === "piped"
      ? stdin.from.map(({ args }) => args.map(({ text }) => text).join(" ")).join("\n")
      : "";

export const dataRules: readonly CommandRule[] = [
  {
    id: "database-destroyed",
    family,
    severity: "high",
    why: "This drops, empties or changes all of a database, a table or a store.",
    instead: "Work on a copy made for the test, or let a human do it.",
    programs: CLIENTS,
    find: (call) => {
      const { program, args } = call;
      const text = `${args.map((arg) => arg.text.replace(/^--?[\w-]+(=|$)/, "")).join(" ")}\n${inputOf(call)}`;
      const options = args
        .map((arg) => arg.text)
        .join(" ")
        .slice(0, LONGEST);
      if (text.length > LONGEST) return `${program}: more than can be read`;
      if (/^(dropdb|dropuser|pg_dropcluster|pg_resetwal|redis-server)$/.test(program))
        return program !== "redis-server" && args.length > 0 && !/--help/.test(options);
      if (program === "mysqladmin") return /\b(drop|shutdown|flush-|kill|password)\b/.test(text);
      if (program === "pg_ctl" || program === "pg_ctlcluster") return /\b(stop|kill|promote)\b/.test(text);
      if (program === "pg_restore") return /--clean|-c\b|--create|-C\b/.test(options);
      if (program === "mongorestore") return /--drop/.test(options);
      if (program === "etcdctl") return /\b(del|rm|remove|defrag|disable|snapshot restore|revoke)\b/.test(text);
      if (program === "supabase")
        return /\b(db reset|db push|projects delete|branches delete|functions delete|secrets unset|migration (repair|squash)|stop|domains delete)\b/.test(
          text,
        );
      if (program === "turso") return /\b(destroy|revoke|invalidate)\b/.test(text);
      if (program === "wrangler") return false;
      if (program === "bq") return /\brm\b|--replace/.test(options) || destroysBySql(text);
      if (program === "redis-cli" || program === "valkey-cli" || program === "memcached-tool")
        return STORE_COMMAND.test(text) || (call.wrappers.includes("xargs") && /\b(del|unlink|hdel)\b/i.test(text));
      if (/^mongo/.test(program)) return MONGO.test(text);
      if (program === "cypher-shell" || program === "neo4j") return /\bdetach\s+delete|\bdrop\b/i.test(text);
      if (program === "influx") return /\b(delete|drop)\b/i.test(text);
      return destroysBySql(text);
    },
    examples: {
      flags: [
        'psql -c "DROP DATABASE prod"',
        "mysql -e 'DROP DATABASE test'",
        "redis-cli FLUSHALL",
        "mongo --eval 'db.users.drop()'",
        "echo 'DROP TABLE x' | psql",
        "psql -c 'DELETE FROM users'",
        "dropdb prod",
        "psql <<EOF\nTRUNCATE users;\nEOF",
      ],
      passes: [
        "psql -c 'SELECT 1'",
        "psql -c 'DELETE FROM users WHERE id = 1'",
        "redis-cli GET x",
        "mysql -e 'SHOW TABLES'",
        "sqlite3 x.db .tables",
      ],
    },
  },
  {
    id: "bare-sql",
    family,
    severity: "high",
    why: "This is a statement that destroys data, given where a shell expects a program.",
    instead: "Give it to a database client, on a copy made for the test.",
    programs: [
      "drop",
      "DROP",
      "truncate",
      "TRUNCATE",
      "delete",
      "DELETE",
      "update",
      "UPDATE",
      "alter",
      "ALTER",
      "SHUTDOWN",
      "FLUSHALL",
      "flushall",
      "FLUSHDB",
      "flushdb",
      "grant",
      "GRANT",
      "revoke",
      "REVOKE",
    ],
    find: ({ program, text }) =>
      COMMAND_LIKE.test(program) &&
      (text.length > LONGEST || destroysBySql(text) || /^(flushall|flushdb|shutdown\s+(nosave|save))/i.test(text)),
    examples: {
      flags: ["DROP TABLE users", "delete from users;", "TRUNCATE TABLE users", "UPDATE users SET active=false", "FLUSHALL"],
      passes: ["truncate -s 10 file", "update readme"],
    },
  },
  {
    id: "migration-destroys",
    family,
    severity: "high",
    why: "This drops or resets the database that the project is set up for.",
    instead: "Run it on a database made for the test.",
    programs: [
      "rails",
      "rake",
      "php",
      "artisan",
      "python",
      "python3",
      "prisma",
      "sequelize",
      "sequelize-cli",
      "knex",
      "typeorm",
      "drizzle-kit",
      "flask",
      "mix",
      "alembic",
      "dbmate",
      "goose",
      "flyway",
      "liquibase",
      "diesel",
      "sqlx",
      "dotnet",
      "django-admin",
      "manage.py",
      "doctrine",
      "phinx",
      "bin/rails",
      "migrate",
      "atlas",
    ],
    find: ({ program, args, text }) => {
      const rest = args.map((arg) => arg.text).join(" ");
      if (/^python/.test(program) || program === "django-admin" || program === "manage.py")
        return (
          /(manage\.py\s+)?\b(flush|reset_db|sqlflush|migrate\s+\S+\s+zero|drop_database)\b/.test(rest) &&
          /manage\.py|django/.test(`${program} ${rest}`)
        );
      if (program === "php" || program === "artisan")
        return /\b(migrate:(fresh|reset|refresh|rollback)|db:wipe|doctrine:(database|schema):drop)\b/.test(rest);
      return (
        /\b(db:(drop|reset|purge|schema:load|truncate_all|migrate:reset|setup|rollback|migrate:undo(:all)?|seed:undo:all|structure:load)|migrate reset|db push\b.*(--force-reset|--accept-data-loss)|migrate:rollback|migrate:down|schema:drop|ecto\.(drop|reset|rollback)|downgrade|database (drop|reset|revert)|migration (revert|redo)|db:wipe|flyway clean|clean|drop-all|rollback|schema drop|drop|down -all|schema clean|reset)\b/.test(
          `${rest}`,
        ) &&
        !/\b(assets|log|tmp|test):(clean|clobber|clear|reset)|dotnet clean|mix clean/.test(`${program} ${rest}`) &&
        !(program === "dotnet" && !/\bef\b/.test(text)) &&
        !(program === "rake" && /^clean$/.test(rest)) &&
        !(program === "mix" && !/ecto/.test(rest))
      );
    },
    examples: {
      flags: [
        "RAILS_ENV=production rails db:reset",
        "rake db:drop",
        "php artisan migrate:fresh",
        "python manage.py flush",
        "prisma migrate reset",
        "npx prisma migrate reset --force",
      ],
      passes: ["rails db:migrate", "python manage.py test", "prisma generate", "mix clean", "dotnet clean"],
    },
  },
];
