package uzu.backend.cpu;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CoresTest {
    @TempDir
    Path root;

    @Test
    void aQuotaOfTheSecondVersionIsRoundedDown() throws IOException {
        write("proc/self/cgroup", "0::/a/b\n");
        write("sys/fs/cgroup/a/cpu.max", "250000 100000\n");
        write("sys/fs/cgroup/a/b/cpu.max", "max 100000\n");
        assertEquals(2, Cores.quota(root));
    }

    @Test
    void aQuotaOfTheFirstVersionCountsToo() throws IOException {
        write("proc/self/cgroup", "4:cpuset:/x\n3:cpu,cpuacct:/a\n");
        write("sys/fs/cgroup/cpu/cpu.cfs_quota_us", "-1\n");
        write("sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n");
        write("sys/fs/cgroup/cpu/a/cpu.cfs_quota_us", "150000\n");
        write("sys/fs/cgroup/cpu/a/cpu.cfs_period_us", "50000\n");
        assertEquals(3, Cores.quota(root));
    }

    @Test
    void lessThanOneProcessorIsOneThread() throws IOException {
        write("proc/self/cgroup", "0::/\n");
        write("sys/fs/cgroup/cpu.max", "50000 100000\n");
        assertEquals(1, Cores.quota(root));
    }

    @Test
    void withoutGroupsThereIsNoQuota() {
        assertEquals(Integer.MAX_VALUE, Cores.quota(root));
    }

    private void write(String file, String text) throws IOException {
        Path path = root.resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, text);
    }
}
