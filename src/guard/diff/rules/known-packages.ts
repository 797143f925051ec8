// Packages so widely used that a name almost like theirs is more likely a trap than a package of its own.

const NPM =
  "jest vitest mocha chai sinon ava jasmine karma cypress playwright puppeteer tape uvu nyc c8 istanbul supertest nock eslint tslint prettier typescript tsx ts-node webpack rollup vite esbuild babel-core react react-dom preact vue svelte angular next nuxt express koa fastify hapi lodash lodash-es underscore ramda axios node-fetch request got cross-env dotenv chalk colors color commander yargs minimist inquirer moment dayjs date-fns luxon uuid nanoid rxjs redux mobx immer zod joi ajv async bluebird debug semver glob rimraf mkdirp fs-extra chokidar nodemon pm2 winston pino morgan body-parser cors helmet passport jsonwebtoken bcrypt bcryptjs mongoose mongodb mysql mysql2 sequelize sqlite3 redis ioredis socket.io graphql apollo-server tailwindcss postcss autoprefixer sass less handlebars mustache ejs pug marked cheerio jsdom sharp multer husky lint-staged concurrently npm-run-all lerna turbo electron jquery bootstrap three d3 knex prisma core-js regenerator-runtime tslib classnames prop-types styled-components ws qs ms mime discord.js stripe aws-sdk firebase web3 ethers";
const PYPI =
  "pytest unittest2 nose nose2 tox nox hypothesis coverage pytest-cov pytest-xdist pytest-mock pytest-asyncio mock responses requests urllib3 httpx aiohttp flask django fastapi starlette uvicorn gunicorn numpy scipy pandas matplotlib seaborn scikit-learn tensorflow torch torchvision keras pillow opencv-python sqlalchemy alembic psycopg2 psycopg2-binary pymongo redis celery boto3 botocore click typer rich tqdm pyyaml toml tomli jinja2 markupsafe werkzeug itsdangerous attrs pydantic marshmallow black isort flake8 pylint ruff mypy pyright pre-commit setuptools wheel pip twine virtualenv poetry hatchling beautifulsoup4 lxml selenium scrapy paramiko cryptography pyopenssl certifi idna chardet six python-dateutil pytz colorama packaging jsonschema docutils sphinx mkdocs notebook jupyter ipython networkx sympy openai anthropic transformers langchain protobuf grpcio simplejson ujson orjson freezegun factory-boy faker";
const CARGO =
  "serde serde_json serde_yaml serde_derive tokio async-std futures rand regex clap structopt anyhow thiserror log env_logger tracing chrono time uuid reqwest hyper axum actix-web warp rocket diesel sqlx rayon crossbeam parking_lot lazy_static once_cell itertools bytes base64 hex sha2 ring rustls openssl libc nix syn quote proc-macro2 proptest quickcheck criterion mockall insta rstest assert_cmd predicates tempfile trybuild indexmap hashbrown smallvec bitflags num num-traits toml csv walkdir glob semver url";
const GO =
  "github.com/stretchr/testify github.com/onsi/ginkgo github.com/onsi/gomega github.com/golang/mock github.com/sirupsen/logrus github.com/spf13/cobra github.com/spf13/viper github.com/spf13/pflag github.com/gin-gonic/gin github.com/gorilla/mux github.com/pkg/errors github.com/google/uuid github.com/google/go-cmp go.uber.org/zap gopkg.in/yaml.v2 gopkg.in/yaml.v3 github.com/davecgh/go-spew github.com/pmezard/go-difflib";
const GEMS =
  "rails rspec minitest rake rack sinatra nokogiri puma devise sidekiq pg mysql2 redis rubocop simplecov capybara factory_bot faker webmock vcr bundler activerecord activesupport";

const BY_MANIFEST: readonly { readonly files: RegExp; readonly names: readonly string[] }[] = [
  { files: /package\.json$/, names: NPM.split(" ") },
  { files: /(requirements|constraints)[^/]*\.(txt|in)$|pyproject\.toml$|Pipfile$/, names: PYPI.split(" ") },
  { files: /Cargo\.toml$/, names: CARGO.split(" ") },
  { files: /go\.mod$/, names: GO.split(" ") },
  { files: /Gemfile$/, names: GEMS.split(" ") },
];

export const knownPackages = (manifest: string): readonly string[] => BY_MANIFEST.find(({ files }) => files.test(manifest))?.names ?? [];

/** Packages that run or judge tests: one of these from elsewhere can say anything about them. */
export const JUDGES_TESTS =
  /^(@?(jest|vitest|mocha|chai|sinon|ava|jasmine|karma|cypress|playwright|tape|uvu|nyc|c8|expect|assert|supertest)([/-].*)?|pytest([-_].*)?|unittest2|nose2?|tox|nox|hypothesis|coverage|github\.com\/(stretchr\/testify|onsi\/.*|google\/go-cmp)|proptest|quickcheck|insta|rstest|assert_cmd|trybuild|mockall|rspec(-.*)?|minitest|simplecov|phpunit\/.*)$/;

/** Whether two names differ by one letter left out, put in, changed or swapped with its neighbour. */
export function isOneEditAway(a: string, b: string): boolean {
  if (a === b || Math.abs(a.length - b.length) > 1) return false;
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a.at(-1 - end) === b.at(-1 - end)) end += 1;
  const [left, right] = [a.slice(start, a.length - end), b.slice(start, b.length - end)];
  if (left.length <= 1 && right.length <= 1) return true;
  return left.length === 2 && right.length === 2 && left[0] === right[1] && left[1] === right[0];
}
