// llama.cpp's speed for comparisons with ours, asked for line by line: llama_bench, which reads commands and answers
// each with a line.
//
//   load MODEL\tCONTEXT FLASH   a tab ends the path; FLASH: on or off; a model that is loaded stays
//                                                                       → ok NANOSECONDS VOCABULARY
//   ids ID …                    tokens of the one sequence, by position → ok
//   threads N                                                           → ok
//   prefill N                   the first N anew, logits of the last    → ns NANOSECONDS
//   decode N at C               N one by one after the first C          → ns NANOSECONDS
//   rows N at C                 N in one pass after the first C, logits of all; not kept
//                                                                       → ns NANOSECONDS
//   generate N T P SEED         draws N more after all ids and the token that follows them, at temperature T and top-p P;
//                               T = 0: the likeliest                      → ns NANOSECONDS
//
// What goes wrong is answered with: error TEXT. Keys and values are F16. The first C are computed on the first use of C
// with all threads, outside the time. Between commands no thread runs: the pool sleeps while standard input is read.
#include "ggml-cpu.h"
#include "llama.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <iostream>
#include <iterator>
#include <map>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace {

using Clock = std::chrono::steady_clock;

// As in llama.cpp's own llama-bench.
const int BATCH = 2048;
const int MICRO_BATCH = 512;

int64_t since(Clock::time_point start) {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - start).count();
}

void quiet(ggml_log_level, const char *, void *) {}

struct ThreadPools {
    std::map<int, ggml_threadpool *> pools;

    ggml_threadpool *of(int threads) {
        ggml_threadpool *&pool = pools[threads];
        if (!pool) {
            ggml_threadpool_params params = ggml_threadpool_params_default(threads);
            params.paused = true;
            pool = ggml_threadpool_new(&params);
            if (!pool) {
                throw std::runtime_error("no thread pool of " + std::to_string(threads));
            }
        }
        return pool;
    }

    ~ThreadPools() {
        for (auto &entry : pools) {
            ggml_threadpool_free(entry.second);
        }
    }
};

class Bench {
public:
    std::string answer(const std::string &line) {
        std::istringstream words(line);
        std::string command;
        words >> command;
        if (command == "load") {
            return load(words);
        }
        if (!context) {
            throw std::runtime_error("no model is loaded");
        }
        if (command == "ids") {
            ids.clear();
            std::copy(std::istream_iterator<llama_token>(words), {}, std::back_inserter(ids));
            keep(0);
            return "ok";
        }
        if (command == "threads") {
            threads = number(words);
            return "ok";
        }
        int count = number(words);
        if (command == "generate") {
            double temperature, top_p;
            uint32_t seed;
            if (!(words >> temperature >> top_p >> seed)) {
                throw std::runtime_error("a number is missing");
            }
            return generate(count, temperature, top_p, seed);
        }
        if (command == "prefill") {
            keep(0);
            return timed([&] { feed(0, count, false); });
        }
        std::string at;
        words >> at;
        int from = number(words);
        if (command == "decode") {
            fill(from);
            return timed([&] {
                for (int i = from; i < from + count; i++) {
                    feed(i, 1, true);
                }
            });
        }
        if (command == "rows") {
            fill(from);
            std::string result = timed([&] { feed(from, count, true); });
            keep(from);
            return result;
        }
        throw std::runtime_error("unknown command " + command);
    }

    ~Bench() {
        llama_batch_free(batch);
    }

private:
    ThreadPools pools; // outlives the context, which is attached to one of them
    std::unique_ptr<llama_model, void (*)(llama_model *)> model{nullptr, llama_model_free};
    std::unique_ptr<llama_context, void (*)(llama_context *)> context{nullptr, llama_free};
    llama_batch batch = llama_batch_init(BATCH, 0, 1);
    std::string loaded;
    std::vector<llama_token> ids;
    int threads = std::max(1u, std::thread::hardware_concurrency());
    int held = 0; // tokens in the cache

    static int number(std::istream &words) {
        int value;
        if (!(words >> value) || value < 0) {
            throw std::runtime_error("a whole number is missing");
        }
        return value;
    }

    std::string load(std::istream &words) {
        std::string path, flash;
        std::getline(words >> std::ws, path, '\t');
        int length = number(words);
        words >> flash;
        context.reset();
        auto start = Clock::now();
        if (path != loaded) {
            loaded.clear();
            model.reset(llama_model_load_from_file(path.c_str(), llama_model_default_params()));
            if (!model) {
                throw std::runtime_error(path + " can't be loaded");
            }
            loaded = path;
        }
        llama_context_params params = llama_context_default_params();
        params.n_ctx = length;
        params.n_batch = BATCH;
        params.n_ubatch = MICRO_BATCH;
        params.n_threads = params.n_threads_batch = threads;
        params.flash_attn_type = flash == "on" ? LLAMA_FLASH_ATTN_TYPE_ENABLED : LLAMA_FLASH_ATTN_TYPE_DISABLED;
        params.type_k = params.type_v = GGML_TYPE_F16;
        params.swa_full = false;
        params.no_perf = true;
        context.reset(llama_init_from_model(model.get(), params));
        if (!context) {
            throw std::runtime_error("no context of " + std::to_string(length));
        }
        held = 0;
        int64_t took = since(start);
        int vocabulary = llama_vocab_n_tokens(llama_model_get_vocab(model.get()));
        return "ok " + std::to_string(took) + " " + std::to_string(vocabulary);
    }

    template <typename Work> std::string timed(Work work) {
        ggml_threadpool *pool = pools.of(threads);
        llama_attach_threadpool(context.get(), pool, pool);
        llama_set_n_threads(context.get(), threads, threads);
        ggml_threadpool_resume(pool);
        auto start = Clock::now();
        work();
        int64_t took = since(start);
        ggml_threadpool_pause(pool);
        return "ns " + std::to_string(took);
    }

    std::string generate(int count, double temperature, double top_p, uint32_t seed) {
        std::unique_ptr<llama_sampler, void (*)(llama_sampler *)> sampler(
            llama_sampler_chain_init(llama_sampler_chain_default_params()), llama_sampler_free);
        if (temperature == 0) {
            llama_sampler_chain_add(sampler.get(), llama_sampler_init_greedy());
        } else {
            llama_sampler_chain_add(sampler.get(), llama_sampler_init_temp(temperature));
            if (top_p < 1) {
                llama_sampler_chain_add(sampler.get(), llama_sampler_init_top_p(top_p, 1));
            }
            llama_sampler_chain_add(sampler.get(), llama_sampler_init_dist(seed));
        }
        keep(0);
        int prompt = ids.size();
        timed([&] { feed(0, prompt, false); });
        ids.push_back(llama_sampler_sample(sampler.get(), context.get(), -1));
        std::string result = timed([&] {
            for (int i = 0; i < count; i++) {
                feed(prompt + i, 1, true);
                ids.push_back(llama_sampler_sample(sampler.get(), context.get(), -1));
            }
        });
        ids.resize(prompt);
        keep(0);
        return result;
    }

    /** Puts count ids into the cache, with the logits of the last or of all. */
    void feed(int from, int count, bool all) {
        if (from + count > (int) ids.size()) {
            throw std::runtime_error("too few ids");
        }
        for (int at = from; at < from + count; at += BATCH) {
            batch.n_tokens = std::min(BATCH, from + count - at);
            for (int row = 0; row < batch.n_tokens; row++) {
                batch.token[row] = ids[at + row];
                batch.pos[row] = at + row;
                batch.n_seq_id[row] = 1;
                batch.seq_id[row][0] = 0;
                batch.logits[row] = all || at + row == from + count - 1;
            }
            if (llama_decode(context.get(), batch)) {
                throw std::runtime_error("decode failed at " + std::to_string(at));
            }
        }
        llama_synchronize(context.get());
        held = from + count;
    }

    /** Leaves the first count in the cache. */
    void keep(int count) {
        // A window's cache has forgotten what lies before it: it can only go back by less than the window.
        if (count == 0) {
            llama_memory_clear(llama_get_memory(context.get()), false);
        } else if (!llama_memory_seq_rm(llama_get_memory(context.get()), 0, count, -1)) {
            throw std::runtime_error("can't go back to " + std::to_string(count));
        }
        held = count;
    }

    void fill(int count) {
        if (held > count) {
            keep(count);
        }
        if (held < count) {
            int chosen = threads;
            threads = std::max(1u, std::thread::hardware_concurrency());
            timed([&] { feed(held, count - held, false); });
            threads = chosen;
        }
    }
};

} // namespace

int main() {
    llama_log_set(quiet, nullptr);
    llama_backend_init();
    Bench bench;
    for (std::string line; std::getline(std::cin, line);) {
        std::string answer;
        try {
            answer = bench.answer(line);
        } catch (const std::exception &failure) {
            answer = std::string("error ") + failure.what();
        }
        std::cout << answer << std::endl;
    }
}
